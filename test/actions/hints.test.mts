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

const getLast = (over: IDataObject = {}) => ({ resource: 'upload', operation: 'getLast', ...over });

it('Get Last names engagements without an upload, and says how to get an item for each', async () => {
	const last = getLast({ engagementIds: '={{ $json.id }}' });
	expect(await hintsOf(last, itemsFrom(1001, 3))).toEqual([
		'No upload was found for engagement 1003. Turn on Include Missing in Options to get an item for each engagement without one.',
	]);
	expect(await hintsOf(last, itemsFrom(1003, 9))).toEqual([
		'No upload was found for engagement 1003, 1004, 1005, 1006, 1007 and 4 more. Turn on Include Missing in Options to get an item for each engagement without one.',
	]);
	expect(await hintsOf({ ...last, options: { includeMissing: true } }, [{ id: 1003 }])).toEqual([]);
});
