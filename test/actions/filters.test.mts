import type { IDataObject } from 'n8n-workflow';

import { makeCredential } from '../support/world/credentials.mts';
import { errorText, onlyRequest, readOutput, run, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeAll);

const parameters = (over: IDataObject): IDataObject => ({
	resource: 'upload',
	operation: 'getAll',
	...over,
});
const ofConnector = { source: 'connector', engagementId: 1001, connectorName: 'cloudbooks' };

it('takes a date in the zone of the workflow or its own, and sends it in that of the credential', async () => {
	const credential = makeCredential(service, { timeZone: 'America/New_York' });
	const createdDateFrom = '={{ DateTime.fromISO("2026-07-01T12:00Z") }}';
	const filters = { completedDateFrom: '2026-07-01T12:00:00', createdDateFrom };
	await run(service, parameters({ filters }), [{}], { credential, timezone: 'Europe/Berlin' });
	expect(onlyRequest(service).query).toMatchObject({
		completedDateFrom: '2026-07-01T06:00:00',
		createdDateFrom: '2026-07-01T08:00:00',
	});
});

it.each([
	// A limit that is hidden is not read.
	['={{ "True" }}', 0, '100'],
	['False', 1, '1'],
])('Return All may be %j, with a limit of %d: pages of %s', async (returnAll, limit, size) => {
	await run(service, parameters({ returnAll, limit, options: { pageSize: 100 } }));
	expect(onlyRequest(service).query.size).toBe(size);
});

it.each(['created', 'completed'])('refuses a period that ends first: %s', async (event) => {
	const period = (from: string, to: string) => ({
		filters: { [`${event}DateFrom`]: from, [`${event}DateTo`]: to },
	});
	const reversed = await run(service, parameters(period('2026-03-05', '2026-03-04')));
	expect(errorText(reversed)).toMatch(/^(Created|Completed) To is before \1 From \[item 0\]/);
	expect(service.requests).toHaveLength(0);
	// A bare day includes its end.
	expect(await readOutput(service, parameters(period('2026-03-05', '2026-03-05')))).toEqual([]);
});

it('Upload > Get returns no other upload if the service ignores the filter', async () => {
	const [, upload] = service.model.uploads.all;
	service.settings.ignoredFilters = ['uploadId'];
	const get = { resource: 'upload', operation: 'get' };
	const uploadId = upload?.uploadId.toUpperCase();
	expect(await readOutput(service, { ...get, uploadId })).toMatchObject([
		{ uploadId: upload?.uploadId },
	]);
	const other = '5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11';
	const none = await run(service, { ...get, uploadId: other });
	expect(errorText(none)).toContain('No upload has the ID');
	service.settings.ignoredFilters = [];
});

describe('connector, status, outcome and external ID, which the node filters by itself', () => {
	/** What the service knows, by status; there is no completion date without `isDated`. */
	const shown = {
		ARCHIVED: { engagementId: 1001, connectorName: 'cloudbooks', isDated: true },
		DONE: { engagementId: 1002, connectorName: 'cloudbooks', isDated: false },
		LOADING: { engagementId: 1001, connectorName: 'cloudbooks', isDated: false },
		FAILED: { engagementId: 1003, connectorName: 'desk-ledger', isDated: true },
	};
	const { FAILED: _, ...ofCloudbooks } = shown;

	beforeAll(() => {
		const { model } = service;
		for (const { uploadId } of model.uploads.all) model.deleteUpload(uploadId);
		for (const [status, { isDated, ...upload }] of Object.entries(shown)) {
			const { uploadId, completedAt } = model.addCompletedUpload(upload);
			model.updateUpload(uploadId, { status, completedAt: isDated ? completedAt : null });
		}
	});

	it.each<[filters: IDataObject, statuses: string[], more?: IDataObject]>([
		[{ uploadStatuses: 'failed, aborted' }, ['FAILED']],
		[{ connectorNames: ['cloudbooks'] }, Object.keys(ofCloudbooks)],
		[{ connectorNames: '11; Desk Ledger' }, Object.keys(shown)],
		[{ externalEngagementIds: 'crm-1; none, CRM-2' }, Object.keys(ofCloudbooks)],
		// As Get Data Status judges them.
		[{ outcomes: ['completed'] }, ['ARCHIVED', 'DONE']],
		[{ outcomes: ['completed'] }, ['ARCHIVED'], { limit: 1 }],
		[{ outcomes: ['failed', 'unfinished'] }, ['LOADING', 'FAILED']],
		[{ outcomes: ['completed'], uploadStatuses: 'archived, failed' }, ['ARCHIVED']],
		[{ outcomes: ['unfinished'] }, ['LOADING'], { ...ofConnector, limit: 1 }],
	])('%j matches %j', async (filters, statuses, more = {}) => {
		const records = await readOutput(service, parameters({ ...more, filters }));
		expect(records.map(({ uploadStatus }) => uploadStatus)).toEqual(statuses);
		expect(service.requests.at(-1)?.query).toEqual({ page: '0', size: '500' });
	});

	it('a status may be called status, as in the list of last uploads', async () => {
		const body = { content: [{ uploadId: 'a', status: 'FAILED' }], last: true };
		service.fail({}, { kind: 'status', status: 200, body });
		const filters = { uploadStatuses: 'FAILED' };
		expect(await readOutput(service, parameters({ filters }))).toMatchObject([{ uploadId: 'a' }]);
	});
});

describe('the uploads of one engagement and connector', () => {
	it('name their engagement, even if the service does not', async () => {
		service.fail({}, { kind: 'status', status: 200, body: [{ uploadId: 'u1' }] });
		expect(await readOutput(service, parameters(ofConnector))).toMatchObject([
			{ engagementId: 1001 },
		]);
	});

	it('cannot be combined with Engagement IDs, a filter that the editor then hides', async () => {
		const filters = { engagementIds: '1002' };
		await readOutput(service, parameters({ ...ofConnector, filters }));
		expect(onlyRequest(service).query).not.toHaveProperty('engagementId');

		const byExpression = { ...ofConnector, source: '={{ "connector" }}', filters };
		const { error } = await run(service, parameters(byExpression));
		expect(error?.message).toContain('Engagement IDs cannot be combined with this Source');
		expect(service.requests).toEqual([]);
	});
});
