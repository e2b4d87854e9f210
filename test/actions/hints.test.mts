import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { itemsFrom, run, useService } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';
import { hintsOf as shownBy } from './writing.mts';

let service: SimulatedService;

useService(beforeAll, async () => ({ service } = await smallWorld()));

const hintsOf = async (parameters: IDataObject, items?: IDataObject[]) =>
	shownBy(await run(service, parameters, items));

const list = (resource: string, over: IDataObject = {}) => ({
	resource,
	operation: 'getAll',
	...over,
});

it('none appears when the limit was reached, since n8n says so itself', async () => {
	expect(await hintsOf(list('user', { limit: 1 }))).toEqual([]);
});

describe('Selected Fields', () => {
	const fields = (names: string) => ({ output: 'selectedFields', fields: names });

	it('get a hint if no record has them', async () => {
		expect(await hintsOf(list('upload', fields('uploadId, uploadStats')))).toEqual([
			'Selected fields that no record has: “uploadStats”. Check the spelling, or set Output to Raw to see all fields.',
		]);
		expect(await hintsOf(list('upload', fields('statuz, Owner.mail')))).toEqual([
			expect.stringMatching(/^Selected fields that no record has: “statuz”, “Owner.mail”/),
		]);
		const names = ['x'.repeat(900), ...'bcdefgh'].join();
		expect(await hintsOf(list('upload', fields(names)))).toEqual([
			expect.stringMatching(/ has: “x{10,100}…”, “b”, “c”, “d”, “e” and 3 more\. Check/),
		]);
	});

	it('get none if they are empty or in another case, or if there are no records', async () => {
		expect(await hintsOf(list('upload', fields('UPLOADSTATUS, externalEngagementId')))).toEqual([]);
		const last = { resource: 'upload', operation: 'getLast', engagementIds: '1001' };
		expect(await hintsOf({ ...last, ...fields('content, memo') })).toEqual([]);
		const filters = { engagementIds: '7' };
		expect(await hintsOf(list('upload', { filters, ...fields('nothing') }))).toEqual([
			'Nothing matched the filters.',
		]);
	});
});

describe('Filters', () => {
	it('get a hint if nothing matched', async () => {
		const filters = { engagementIds: '7' };
		expect(await hintsOf(list('upload', { filters }))).toEqual(['Nothing matched the filters.']);
		const connectors = (type: string) =>
			list('connector', { filters: { type, refreshable: true } });
		expect(await hintsOf(connectors('offline'))).toEqual(['Nothing matched the filters.']);
		expect(await hintsOf(connectors('online'))).toEqual([]);
	});

	it.each([
		list('upload', { filters: { engagementIds: '', uploadId: '' } }),
		{ resource: 'engagement', operation: 'getStatus' },
	])('get no hint if they are empty: %j', async (parameters) => {
		service.fail({}, { kind: 'status', status: 200, body: [] });
		const result = await run(service, parameters);
		expect([result.items, shownBy(result)]).toEqual([[], []]);
	});
});

describe('Get Last', () => {
	const last = (over: IDataObject = {}) => ({
		resource: 'upload',
		operation: 'getLast',
		engagementIds: '={{ $json.id }}',
		...over,
	});

	it('names engagements without an upload, and says how to get an item for each', async () => {
		expect(await hintsOf(last(), itemsFrom(1001, 3))).toEqual([
			'Engagement 1003 has no upload or does not exist. Turn on Include Missing in Options to get an item for it.',
		]);
		expect(await hintsOf(last(), itemsFrom(1003, 9))).toEqual([
			expect.stringContaining(
				'9 engagements have no upload or do not exist: 1003, 1004, 1005, 1006, 1007 and 4 more. Turn on Include Missing in Options to get an item for each.',
			),
		]);
		expect(await hintsOf(last({ options: { includeMissing: true } }), [{ id: 1003 }])).toEqual([]);
	});
});
