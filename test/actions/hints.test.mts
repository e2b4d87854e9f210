/** Hints above the output: filters that an expression left empty, and lists that change while they are read. */
import type { IDataObject } from 'n8n-workflow';

import { errorText, run, useService } from '../support/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { smallWorld } from '../support/smallWorld.mts';
import { listHints } from './writing.mts';

describe('filters', () => {
	let service: SimulatedService;

	useService(beforeAll, async () => ({ service } = await smallWorld()));

	const VALUE = '={{ $json.value }}';
	const uploads = { resource: 'upload', operation: 'getAll' };
	const statuses = { resource: 'engagement', operation: 'getStatus' };

	it.each<[string, IDataObject, hint: string]>([
		[
			'one hint names all of them',
			{
				...uploads,
				filters: { engagementIds: '={{ $json.id }}', outcomes: VALUE, uploadId: VALUE },
			},
			'Outcome, Upload ID, Engagement IDs',
		],
		['a filter of its own', { ...statuses, dataStatuses: VALUE }, 'Data Statuses'],
	])('%s, however many items there are', async (_what, given, labels) => {
		const result = await run(service, given, [{ id: 1001 }, { value: null }, { value: [] }]);
		expect(listHints(result)).toEqual([
			`An expression left ${labels} empty. An empty filter is not applied, so all records were returned.`,
		]);
	});

	it('there is no hint without such an expression', async () => {
		const filters = { engagementIds: '={{ 1001 }}', uploadStatuses: [], uploadId: '' };
		const result = await run(service, { ...uploads, filters });
		expect(result.items).toHaveLength(1);
		expect(listHints(result)).toEqual([]);
	});
});

describe('a list from whose pages records slip', () => {
	let service: SimulatedService;

	useService(beforeEach, async () => (service = await startService()));
	beforeEach(() => {
		for (let id = 1; id <= 6; id += 1) service.model.addEngagement({ id });
	});

	/** Sends these engagements as the second page of two. */
	const secondPage = (...ids: number[]) =>
		service.fail(
			{ path: /\/engagements$/, query: { page: '1' } },
			{ kind: 'status', status: 200, body: { content: ids.map((Id) => ({ Id })), totalPages: 2 } },
		);
	const list = { resource: 'engagement', returnAll: true, options: { pageSize: 3 } };
	const hintsOf = async (operation: string) =>
		listHints(await run(service, { ...list, operation }));

	it.each([
		['getAll', /^The list of engagements changed .* Sort by a field that is unique/],
		['getStatus', /^The list of engagements changed while it was read.* Run the node again/],
	])('%s hints at it', async (operation, hint) => {
		secondPage(3, 4);
		expect(await hintsOf(operation)).toEqual([expect.stringMatching(hint)]);
	});

	it.each([
		['getStatus', 'uploads', /\/uploads$/, {}],
		['getStatus', 'uploads', /\/lastUploads$/, {}],
		['getLast', 'last uploads', /\/lastUploads$/, { resource: 'upload', engagementIds: '1, 2, 3' }],
	])('%s hints at a change in the list of %s (%s)', async (operation, name, path, given) => {
		const page = (...ids: string[]) => {
			const content = ids.map((uploadId) => ({ uploadId, engagementId: 1 }));
			const body = { content, totalPages: 2 };
			return { kind: 'status', status: 200, body } as const;
		};
		service.fail({ path, query: { page: '0' } }, page('a', 'b', 'c'));
		service.fail({ path, query: { page: '1' } }, page('c', 'd'));
		const result = await run(service, { ...list, operation, ...given });
		expect(listHints(result)).toContain(
			`The list of ${name} changed while it was read, so some may be missing. Run the node again.`,
		);
	});

	it.each([
		['other records', [4, 5, 6]],
		['nothing new', [1, 2, 3]],
		['one record twice', [4, 4]],
	])('a page with %s is no change', async (_what, ids) => {
		secondPage(...ids);
		expect(await hintsOf('getAll')).toEqual([]);
	});

	it('says in an error, too, that an engagement may be missing', async () => {
		const get = async (id: number) =>
			await run(service, {
				...{ resource: 'engagement', operation: 'get', options: { pageSize: 3 } },
				engagementId: { mode: 'id', value: id },
			});
		secondPage(3, 4);
		expect(errorText(await get(5))).toMatch(
			/^No engagement with the ID 5 was found in the list, which changed while it was read.*Run the node again/,
		);
		secondPage(3, 4);
		expect((await get(4)).error).toBeUndefined();
		expect(errorText(await get(7))).toMatch(
			/^No engagement has the ID 7 \[item 0\].*By External ID/,
		);
	});
});
