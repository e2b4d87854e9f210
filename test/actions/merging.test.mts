import type { IDataObject } from 'n8n-workflow';

import { startService, type SimulatedService } from '../support/service/http.mts';
import { itemsFrom, jsonOf, outputOf, run, useService } from '../support/runs.mts';

const FIRST = 1_000_001;
const ENGAGEMENTS = 1000;

let service: SimulatedService;

useService(beforeAll, async () => (service = await startService()));
beforeAll(() => {
	service.model.addConnector({ id: '1', name: 'cloudbooks' });
	for (const { id } of itemsFrom(FIRST, ENGAGEMENTS)) {
		service.model.addEngagement({ id });
		service.model.addCompletedUpload({ engagementId: id });
	}
	service.model.addEngagement({ id: 5 });
});

beforeEach(() => service.clearFaults());

const items = itemsFrom(FIRST, ENGAGEMENTS);
const getLast = (over: IDataObject = {}): IDataObject => ({
	resource: 'upload',
	operation: 'getLast',
	engagementIds: '={{ $json.id }}',
	...over,
});
const idsOf = (records: IDataObject[]) => records.map(({ engagementId }) => engagementId);

describe('upload.getLast of many items', () => {
	it('sends one request for a list without page fields', async () => {
		const ids = items.slice(0, 100).map(({ id }) => id);
		const path = `/v1/clients/${service.clientId}/lastUploads`;
		const { body } = service.ask('GET', `${path}?engagementIds=${ids.join(',')}&size=100`);
		const { content } = body as { content: IDataObject[] };
		service.fail({}, { kind: 'status', status: 200, body: content });
		const { items: results } = await run(service, getLast(), items.slice(0, 100));
		expect(results).toHaveLength(100);
		expect(service.requests).toHaveLength(1);
	});

	it('merges 1,000 items into 10 requests with short URLs', async () => {
		const { items: results } = await run(service, getLast(), items);
		expect(idsOf(jsonOf(results))).toEqual(items.map(({ id }) => id));
		expect(results.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(service.requests).toHaveLength(10);
		for (const { query, url } of service.requests) {
			expect(query.engagementIds?.split(',')).toHaveLength(100);
			expect(service.url.length + url.length).toBeLessThanOrEqual(2000);
		}
	});

	it('keeps URLs short with long IDs', async () => {
		service.settings.extraQuery = ['trace'];
		const long = itemsFrom(100_000_000_000_000, 200);
		const options = { customQuery: { trace: 'ä'.repeat(100) } };
		const { error } = await run(service, getLast({ options }), long);
		expect(error).toBeUndefined();
		const asked = service.requests.flatMap(({ query }) => query.engagementIds?.split(',') ?? []);
		expect(asked.map(Number)).toEqual(long.map(({ id }) => id));
		for (const { url } of service.requests) {
			expect(service.url.length + url.length).toBeLessThanOrEqual(2000);
		}
	});

	it('sends items with different options in separate requests', async () => {
		service.settings.extraQuery = ['trace'];
		const options = { customQuery: '={{ { trace: $json.id % 2 } }}' };
		const { items: results } = await run(service, getLast({ options }), items.slice(0, 6));
		expect(jsonOf(results)).toHaveLength(6);
		expect(service.requests.map(({ query }) => query.trace).sort()).toEqual(['0', '1']);
	});
});

describe('upload.getLast of a list', () => {
	it('keeps the order of the IDs, and requests each once', async () => {
		const engagementIds = `${FIRST + 2}, ${FIRST},${FIRST + 2},,${FIRST + 1}`;
		const records = await outputOf(service, getLast({ engagementIds }));
		expect(idsOf(records)).toEqual([FIRST + 2, FIRST, FIRST + 1]);
		expect(service.requests).toHaveLength(1);
	});

	it('returns no item for an engagement without an upload unless Include Missing is on', async () => {
		const engagementIds = `5,${FIRST}`;
		expect(idsOf(await outputOf(service, getLast({ engagementIds })))).toEqual([FIRST]);

		const including = getLast({ engagementIds, options: { includeMissing: true } });
		const [missing, found] = await outputOf(service, including);
		expect(missing).toMatchObject({ engagementId: 5, uploadId: null, uploadStatus: null });
		expect(Object.keys(missing ?? {})).toEqual(Object.keys(found ?? {}));
	});

	it.each([
		{ engagementId: 5, uploadId: null, uploadStatus: null },
		{ engagementId: 5, uploadId: 'null' },
		{ engagementId: 5, smeName: 'ACME' },
	])('treats %j as an engagement without an upload', async (record) => {
		const body = { content: [record], last: true };
		const path = /lastUploads$/;
		service.fail({ path }, { kind: 'status', status: 200, body }, { times: 2 });
		expect(await outputOf(service, getLast({ engagementIds: 5 }))).toEqual([]);
		const including = getLast({ engagementIds: 5, options: { includeMissing: true } });
		const [missing] = await outputOf(service, including);
		service.clearFaults();
		expect([missing]).toEqual(await outputOf(service, including));
	});

	it.each([{ output: 'raw' }, { output: 'selectedFields', fields: 'status' }])(
		'names the missing engagement in the form %j',
		async (form) => {
			const options = { includeMissing: true };
			const records = await outputOf(service, getLast({ engagementIds: 5, options, ...form }));
			expect(records).toEqual([expect.objectContaining({ engagementId: 5, uploadId: null })]);
		},
	);
});
