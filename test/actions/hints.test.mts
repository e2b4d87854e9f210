/** The hints that n8n shows above the output; emptyFilters.test.mts has those about filters without a value. */
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
const getLast = (over: IDataObject = {}) => ({ resource: 'upload', operation: 'getLast', ...over });

it('a filter that matches nothing gets a hint', async () => {
	const filters = { engagementIds: '={{ $json.id }}' };
	expect(await hintsOf(list('upload', { filters }), [{ id: 7 }])).toEqual([
		'Nothing matched the filters.',
	]);
	expect(await hintsOf(list('upload', { filters }), itemsFrom(7, 2))).toEqual([
		'Nothing matched the filters for 2 of the input items.',
	]);
	const connectors = { type: 'offline', refreshable: true };
	expect(await hintsOf(list('connector', { filters: connectors }))).toHaveLength(1);
	const stale = { resource: 'engagement', operation: 'getStatus', dataStatuses: ['stale'] };
	expect(await hintsOf({ ...stale, staleAfter: 36_500 })).toEqual(['Nothing matched the filters.']);
});

describe('Selected Fields', () => {
	const fields = (names: string[]) => ({ output: 'selectedFields', fields: names });

	it('get a hint if no record has them', async () => {
		const names = ['x'.repeat(900), ...'bcdefgh', 'Owner.mail', 'uploadStatus'];
		expect(await hintsOf(list('upload', fields(names)))).toEqual([
			expect.stringMatching(
				/^Selected fields that no record has: “x{10,100}…”, “b”, “c”, “d”, “e” and 4 more\. Check/,
			),
		]);
	});

	it('get none if they are empty or in another case, or if there are no records', async () => {
		const some = fields(['UPLOADSTATUS', 'externalEngagementId']);
		expect(await hintsOf(list('upload', some))).toEqual([]);
		const empty = fields(['content', 'memo']);
		expect(await hintsOf(getLast({ engagementIds: '1001', ...empty }))).toEqual([]);
		service.fail({}, { kind: 'status', status: 200, body: [] });
		expect(await hintsOf(list('upload', fields(['nothing'])))).toEqual([]);
	});
});

it('Get Last names engagements without an upload, and says how to get an item for each', async () => {
	const last = getLast({ engagementIds: '={{ $json.id }}' });
	expect(await hintsOf(last, itemsFrom(1001, 3))).toEqual([
		'Engagement 1003 has no upload or does not exist. Turn on Include Missing in Options to get an item for it.',
	]);
	expect(await hintsOf(last, itemsFrom(1003, 9))).toEqual([
		'9 engagements have no upload or do not exist: 1003, 1004, 1005, 1006, 1007 and 4 more. Turn on Include Missing in Options to get an item for each.',
	]);
	expect(await hintsOf({ ...last, options: { includeMissing: true } }, [{ id: 1003 }])).toEqual([]);
});
