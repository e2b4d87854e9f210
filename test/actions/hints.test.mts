import type { IDataObject } from 'n8n-workflow';

import { startService, type SimulatedService } from '../support/service/http.mts';
import { itemsFrom, outputOf, run } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

beforeAll(async () => {
	({ service } = await smallWorld());
});

afterAll(async () => await service.close());

/** Hints that n8n shows above the output. */
async function hintsOf(parameters: IDataObject, items?: IDataObject[]): Promise<string[]> {
	const result = await run(service, parameters, items);
	if (result.error !== undefined) throw result.error;
	const tasks = Object.values(result.run.data.resultData.runData).flat();
	return tasks.flatMap(({ hints = [] }) => hints.map(({ message }) => message));
}

const list = (resource: string, over: IDataObject = {}) => ({
	resource,
	operation: 'getAll',
	...over,
});

describe('Limit', () => {
	const more = expect.stringMatching(/^Limit was reached, so there may be more.*Return All/);

	it.each(['connector', 'engagement', 'upload', 'user'])(
		'gets a hint if it was reached: %s',
		async (resource) => {
			expect(await hintsOf(list(resource, { limit: 1 }))).toEqual([more]);
			expect(await hintsOf(list(resource))).toEqual([]);
			expect(await hintsOf(list(resource, { returnAll: true }))).toEqual([]);
		},
	);

	it('gets a hint if it was reached: period', async () => {
		const periods = list('period', { engagementId: 1001 });
		expect(await hintsOf({ ...periods, limit: 1 })).toEqual([more]);
		expect(await hintsOf({ ...periods, limit: 1000 })).toEqual([]);
	});

	it('gets one hint for all items, with their number', async () => {
		const limit = '={{ $json.id < 3 ? 1 : 50 }}';
		expect(await hintsOf(list('user', { limit }), itemsFrom(1, 4))).toEqual([
			expect.stringContaining('for 2 of the input items'),
		]);
	});
});

describe('Filters', () => {
	it('get a hint if nothing matched', async () => {
		const filters = { engagementIds: '7' };
		expect(await hintsOf(list('upload', { filters }))).toEqual(['Nothing matched the Filters.']);
		const connectors = (type: string) =>
			list('connector', { filters: { type, refreshable: true } });
		expect(await hintsOf(connectors('offline'))).toEqual(['Nothing matched the Filters.']);
		expect(await hintsOf(connectors('online'))).toEqual([]);
	});

	it('get no hint if they are empty', async () => {
		const empty = await startService();
		try {
			const filters = { engagementIds: '', uploadId: '' };
			const { run: finished, items } = await run(empty, list('upload', { filters }));
			const tasks = Object.values(finished.data.resultData.runData).flat();
			expect([items, tasks.flatMap(({ hints = [] }) => hints)]).toEqual([[], []]);
		} finally {
			await empty.close();
		}
	});
});

describe('Get Last', () => {
	const last = (over: IDataObject = {}) => ({
		resource: 'upload',
		operation: 'getLast',
		engagementIds: '={{ $json.id }}',
		...over,
	});

	it('names engagements without an upload, and how to get an item for each', async () => {
		expect(await hintsOf(last(), itemsFrom(1001, 3))).toEqual([
			expect.stringMatching(/^No upload yet, .* for engagement 1003\..*Include Missing/),
		]);
		expect(await hintsOf(last(), itemsFrom(1003, 9))).toEqual([
			expect.stringContaining('for 9 engagements: 1003, 1004, 1005, 1006, 1007 …'),
		]);
		expect(await hintsOf(last({ options: { includeMissing: true } }), [{ id: 1003 }])).toEqual([]);
	});

	it('names an engagement that is listed without an upload', async () => {
		const body = [{ engagementId: 1001, uploadId: null }];
		service.fail({ path: /lastUploads$/ }, { kind: 'status', status: 200, body });
		expect(await hintsOf(last(), [{ id: 1001 }])).toEqual([
			expect.stringMatching(/^No upload yet, .* for engagement 1001\./),
		]);
	});

	it('keeps hints out of the items', async () => {
		const records = await outputOf(service, last(), itemsFrom(1002, 2));
		expect(records.map(({ engagementId }) => engagementId)).toEqual([1002]);
		expect(JSON.stringify(records)).not.toContain('Include Missing');
	});
});
