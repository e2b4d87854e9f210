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

it.each([
	['without an offset in the zone of the workflow', '2026-07-01T12:00:00', '2026-07-01T06:00:00'],
	['of an expression', '={{ DateTime.fromISO("2026-07-01T12:00Z") }}', '2026-07-01T08:00:00'],
])('takes a date %s, and sends it in that of the credential', async (_what, entered, sent) => {
	const credential = makeCredential(service, { timeZone: 'America/New_York' });
	const filters = { completedDateFrom: entered };
	await run(service, parameters({ filters }), [{}], { credential, timezone: 'Europe/Berlin' });
	expect(onlyRequest(service).query.completedDateFrom).toBe(sent);
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
		[{ connectorNames: 'CloudBooks; desk-ledger' }, 'all'],
		[{ connectorNames: '11', uploadStatuses: ['COMPLETED'] }, 'completed'],
		[{ externalEngagementIds: 'crm-1; none, CRM-2' }, 'completed'],
	])('%j matches %s uploads', async (filters, matching) => {
		const expected = { completed: uploads, failed: [failed], all: [...uploads, failed] };
		expect(await listed({ filters })).toEqual(expected[matching]);
		expect(service.requests.at(-1)?.query).not.toHaveProperty('uploadStatuses');
	});

	it('a connector that does not exist is an error, not an empty list', async () => {
		const result = await run(service, parameters({ filters: { connectorNames: 'fernbooks' } }));
		expect(errorText(result)).toMatch(
			/Connector Names or IDs “fernbooks” is not a connector of the service \[item 0\].*remove the filter/,
		);
	});

	it('only matching uploads count towards the limit', async () => {
		const filters = { uploadStatuses: 'FAILED' };
		expect(await listed({ filters, options: { pageSize: 1 }, limit: 1 })).toEqual([failed]);
	});
});

describe.each<[what: string, source: IDataObject]>([
	['of all engagements', {}],
	['of one engagement and connector', ofConnector],
])('the outcome of uploads %s', (_what, source) => {
	let own: SimulatedService;

	useService(beforeAll, async () => ({ service: own } = await smallWorld()));

	/** By outcome; each status is one of which the words alone do not tell. */
	const STATUSES: Record<string, Array<[status: string, isDated: boolean]>> = {
		completed: [
			['COMPLETED', true],
			['COMPLETED_WITH_ERRORS', true],
			['ARCHIVED', true],
			['DONE', false],
		],
		failed: [
			['FAILED', false],
			['Session Expired', true],
		],
		unfinished: [
			['LOADING', false],
			['ARCHIVED', false],
		],
	};
	const statuses = (...outcomes: string[]) =>
		outcomes.flatMap((outcome) => (STATUSES[outcome] ?? []).map(([status]) => status));

	beforeAll(() => {
		const { model } = own;
		for (const { uploadId } of model.uploads.all) model.deleteUpload(uploadId);
		for (const [status, isDated] of Object.values(STATUSES).flat()) {
			const { uploadId, completedAt } = model.addCompletedUpload({ engagementId: 1001 });
			model.updateUpload(uploadId, { status, completedAt: isDated ? completedAt : null });
		}
	});

	it.each([
		[['completed'], 50],
		[['failed'], 50],
		[['unfinished'], 50],
		[['failed', 'unfinished'], 50],
		['Completed, failed', 50],
		[['failed'], 1],
		[['completed'], 3],
	])('%j, at most %d, is judged as by Get Data Status', async (outcomes, limit) => {
		const filters = { outcomes };
		const records = await readOutput(own, parameters({ ...source, filters, limit }));
		const expected = statuses(...outcomes.toString().toLowerCase().split(/, ?/));
		expect(records.map(({ uploadStatus }) => uploadStatus)).toEqual(expected.slice(0, limit));
		expect(onlyRequest(own).url).not.toContain('outcome');
	});

	it('goes together with the statuses of the service', async () => {
		const filters = { outcomes: ['completed'], uploadStatuses: 'archived, failed' };
		const records = await readOutput(own, parameters({ ...source, filters }));
		expect(records.map(({ uploadStatus }) => uploadStatus)).toEqual(['ARCHIVED']);
	});
});

describe('the uploads of one engagement and connector', () => {
	const source = ofConnector;

	it('name their engagement, even if the service does not', async () => {
		service.fail({}, { kind: 'status', status: 200, body: [{ uploadId: 'u1' }] });
		expect(await readOutput(service, parameters(source))).toMatchObject([{ engagementId: 1001 }]);
	});

	it('cannot be combined with Engagement IDs, a filter that the editor then hides', async () => {
		const filters = { engagementIds: '1002' };
		await readOutput(service, parameters({ ...source, filters }));
		expect(onlyRequest(service).query).not.toHaveProperty('engagementId');

		const byExpression = { ...source, source: '={{ "connector" }}', filters };
		const { error } = await run(service, parameters(byExpression));
		expect(error?.message).toContain('Engagement IDs cannot be combined with this Source');
		expect(service.requests).toEqual([]);
	});
});
