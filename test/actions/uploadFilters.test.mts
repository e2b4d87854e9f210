import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { makeCredential } from '../support/credentials.mts';
import { errorText, onlyRequest, readOutput, run, useService } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;
let uploads: string[];

useService(beforeAll, async () => ({ service, uploads } = await smallWorld()));

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
	[null, 1, '1'],
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

describe('connector, status and external ID, which the service cannot filter by', () => {
	const listed = async (over: IDataObject) => {
		const records = await readOutput(service, parameters(over));
		return records.map(({ uploadId }) => uploadId);
	};
	let failed: string;

	beforeAll(() => {
		const { model } = service;
		const { uploadId } = model.startUpload(1003, 'desk-ledger');
		model.failUpload(uploadId);
		failed = uploadId;
	});

	it.each<[filters: IDataObject, matching: 'completed' | 'failed' | 'all']>([
		[{ uploadStatuses: 'failed, aborted' }, 'failed'],
		[{ connectorNames: [{ name: 'cloudbooks', id: '11' }] }, 'completed'],
		[{ connectorNames: '11; Desk Ledger' }, 'all'],
		[{ externalEngagementIds: 'crm-1; none, CRM-2' }, 'completed'],
	])('%j matches %s uploads', async (filters, matching) => {
		const expected = { completed: uploads, failed: [failed], all: [...uploads, failed] };
		expect(await listed({ filters })).toEqual(expected[matching]);
		expect(service.requests.at(-1)?.query).not.toHaveProperty('uploadStatuses');
	});

	it('a status may be called status, as in the list of last uploads', async () => {
		const body = { content: [{ uploadId: 'a', status: 'FAILED' }], last: true };
		service.fail({}, { kind: 'status', status: 200, body });
		expect(await listed({ filters: { uploadStatuses: 'FAILED' } })).toEqual(['a']);
	});
});

describe('the outcome of uploads, judged as by Get Data Status,', () => {
	let own: SimulatedService;

	useService(beforeAll, async () => ({ service: own } = await smallWorld()));

	/** By status, whether it has a completion date. */
	const STATUSES = { ARCHIVED: true, DONE: false, LOADING: false, FAILED: true };
	beforeAll(() => {
		const { model } = own;
		for (const { uploadId } of model.uploads.all) model.deleteUpload(uploadId);
		for (const [status, isDated] of Object.entries(STATUSES)) {
			const { uploadId, completedAt } = model.addCompletedUpload({ engagementId: 1001 });
			model.updateUpload(uploadId, { status, completedAt: isDated ? completedAt : null });
		}
	});

	it.each<[filters: IDataObject, limit: number, statuses: string[], source?: IDataObject]>([
		[{ outcomes: ['completed'] }, 50, ['ARCHIVED', 'DONE']],
		[{ outcomes: ['completed'] }, 1, ['ARCHIVED']],
		[{ outcomes: ['failed', 'unfinished'] }, 50, ['LOADING', 'FAILED']],
		[{ outcomes: ['completed'], uploadStatuses: 'archived, failed' }, 50, ['ARCHIVED']],
		[{ outcomes: ['unfinished'] }, 1, ['LOADING'], ofConnector],
	])('%j, at most %d: %j', async (filters, limit, expected, source = {}) => {
		const records = await readOutput(own, parameters({ ...source, filters, limit }));
		expect(records.map(({ uploadStatus }) => uploadStatus)).toEqual(expected);
		expect(onlyRequest(own).url).not.toContain('outcome');
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
