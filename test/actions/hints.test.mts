/** Hints above the output: empty filters, what could not be looked up, and lists that change while they are read. */
import type { IDataObject } from 'n8n-workflow';

import { listHints, run, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeEach);

const hintsOf = async (parameters: IDataObject, items?: IDataObject[]) =>
	listHints(await run(service, parameters, items));

describe('filters', () => {
	const VALUE = '={{ $json.value }}';
	const uploads = { resource: 'upload', operation: 'getAll' };
	const statuses = { resource: 'engagement', operation: 'getStatus' };
	const several = { engagementIds: '={{ $json.id }}', outcomes: VALUE, uploadId: VALUE };

	it.each<[string, IDataObject, hint: string]>([
		[
			'one hint names all of them',
			{ ...uploads, filters: several },
			'Outcomes, Upload ID, Engagement IDs empty. Empty filters are',
		],
		[
			'a filter of its own',
			{ ...statuses, dataStatuses: VALUE },
			'Data Statuses empty. An empty filter is',
		],
	])('%s, however many items there are', async (_what, given, words) => {
		expect(await hintsOf(given, [{ id: 1001 }, { value: null }, { value: [] }])).toEqual([
			`An expression left ${words} not applied, so all records were returned.`,
		]);
	});

	it('there is no hint without such an expression', async () => {
		const filters = { engagementIds: '={{ 1001 }}', uploadStatuses: [], uploadId: '' };
		expect(await hintsOf({ ...uploads, filters })).toEqual([]);
	});
});

it('a hint names an engagement whose last completed upload cannot be looked up', async () => {
	const { model } = service;
	const { id: engagementId } = model.addEngagement({});
	model.addUpload({ engagementId, status: 'FAILED' });
	const match = {
		path: /\/uploads$/,
		query: { engagementId: new RegExp(`\\b${engagementId}\\b`) },
	};
	service.fail(match, { kind: 'status', status: 403 }, { times: Infinity });
	const status = { resource: 'engagement', operation: 'getStatus' };
	expect(await hintsOf(status)).toEqual([
		expect.stringMatching(`upload of engagement ${engagementId} could not be looked up, .*Run`),
	]);
	expect(await hintsOf({ ...status, dataStatuses: ['fresh'] })).toEqual([]);
});

it.each<[IDataObject, unfound: string]>([
	[{ resource: 'engagement', operation: 'getAll' }, 'IDs “CRM-8”, “CRM-9”'],
	[{ resource: 'engagement', operation: 'getStatus' }, 'IDs “CRM-8”, “CRM-9”'],
	[{ resource: 'upload', operation: 'getAll' }, 'IDs “CRM-8”, “CRM-3”, “CRM-9”'],
])('names the external IDs for which %j found nothing', async (list, unfound) => {
	const found = 'CRM-1';
	const given = { ...list, filters: { externalEngagementIds: '={{ $json.ids }}' } };
	const items = [`${found}, CRM-8`, 'CRM-2, CRM-3; CRM-9, CRM-8'].map((ids) => ({ ids }));
	expect(await hintsOf(given, items)).toEqual([
		`Nothing was found for the External Engagement ${unfound}.`,
	]);
	const one = { externalEngagementIds: 'CRM-9' };
	expect(await hintsOf({ ...list, filters: one })).toEqual([
		'Nothing was found for the External Engagement ID “CRM-9”.',
	]);
	// It is unknown what comes after the limit, and what another filter excludes is there.
	expect(await hintsOf({ ...given, limit: 1 }, [{ ids: `${found}, CRM-8` }])).toEqual([]);
	const customQuery = { externalEngagementId: 'CRM-1' };
	if (list.resource === 'engagement')
		expect(await hintsOf({ ...list, filters: one, options: { customQuery } })).toEqual([]);
	const others = { externalEngagementIds: found, statuses: 'none', uploadStatuses: 'none' };
	const name = list.resource === 'engagement' ? 'uploadStatuses' : 'statuses';
	const { [name]: _, ...filters } = others;
	expect(await hintsOf({ ...list, filters })).toEqual([]);
});

describe('a status that says nothing', () => {
	const HINT =
		'The statuses “4”, “ON_HOLD” say neither that an upload completed, nor that it failed or is in progress. Uploads with them count as unfinished.';

	beforeEach(() => {
		const { model } = service;
		for (const status of ['4', 'ON_HOLD', '4', 'WAITING', 'FAILED'])
			model.addUpload({ engagementId: model.addEngagement().id, status });
		// A completion date decides.
		model.addCompletedUpload({ status: 'ARCHIVED' });
	});

	it.each([
		['getStatus', { dataStatuses: ['failed'] }],
		['getAll', { filters: { outcomes: ['failed'] } }],
	])('is named in a hint of %s, each once a run', async (operation, given) => {
		const resource = operation === 'getAll' ? 'upload' : 'engagement';
		expect(await hintsOf({ resource, operation, ...given }, [{}, {}])).toEqual([HINT]);
	});

	it('is no matter where nobody asks how uploads ended', async () => {
		expect(await hintsOf({ resource: 'upload', operation: 'getAll' })).toEqual([]);
	});
});

describe('a filter by connectors where uploads name them in another way', () => {
	const given = (connectorNames: string) => ({
		...{ resource: 'upload', operation: 'getAll', filters: { connectorNames } },
	});

	it('has a hint that says how', async () => {
		for (const { uploadId } of service.model.uploads.all)
			service.model.updateUpload(uploadId, { connectorName: 'Cloud Books v2' });
		expect(await hintsOf(given('cloudbooks'))).toEqual([
			expect.stringMatching(
				/^No upload matched Connector Names or IDs, .* of connectors: “Cloud Books v2”\./,
			),
		]);
	});

	it('has none where one upload names a connector', async () => {
		expect(await hintsOf(given('desk-ledger'))).toEqual([]);
	});
});

describe('a list from whose pages records slip', () => {
	/** Sends engagements with these IDs as the pages of a list. */
	function sendPages(path: RegExp, ...lists: number[][]): void {
		for (const [page, ids] of lists.entries()) {
			const body = { content: ids.map((Id) => ({ Id })), totalPages: lists.length };
			service.fail({ path, query: { page: String(page) } }, { kind: 'status', status: 200, body });
		}
	}
	const ENGAGEMENTS = /\/engagements$/;
	const list = { resource: 'engagement', returnAll: true, options: { pageSize: 3 } };

	it.each(['getAll', 'getStatus'])('%s hints at it', async (operation) => {
		sendPages(ENGAGEMENTS, [1, 2, 3], [3, 4]);
		expect(await hintsOf({ ...list, operation })).toEqual([
			expect.stringMatching(/^The list of engagements changed .* Run the node again/),
		]);
	});

	it.each([
		['other records', [4, 5, 6]],
		['nothing new', [1, 2, 3]],
		['one record twice', [4, 4]],
	])('a page with %s is no change', async (_what, ids) => {
		sendPages(ENGAGEMENTS, [1, 2, 3], ids);
		expect(await hintsOf({ ...list, operation: 'getAll' })).toEqual([]);
	});
});
