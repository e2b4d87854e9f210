/** A list that changes while it is read: records slip from page to page, and a hint says so. */
import { startService, type SimulatedService } from '../support/service/http.mts';
import { errorText, run, useService } from '../support/runs.mts';
import { listHints } from './writing.mts';

let service: SimulatedService;

useService(beforeEach, async () => (service = await startService()));
beforeEach(() => {
	for (let id = 1; id <= 6; id += 1) service.model.addEngagement({ id });
});

/** Sends these engagements as the second page of two. */
const secondPage = (...ids: number[]) =>
	service.fail(
		{ path: /\/engagements$/, query: { page: '1' } },
		{
			kind: 'status',
			status: 200,
			body: { content: ids.map((Id) => ({ Id })), last: true, totalPages: 2 },
		},
	);
const hintsOf = async (operation: string, more: object = {}) =>
	listHints(
		await run(service, {
			...{ resource: 'engagement', operation, returnAll: true, options: { pageSize: 3 } },
			...more,
		}),
	);

it.each([
	['getAll', {}, /^The list of engagements changed .* Sort by a field that is unique/],
	['getStatus', {}, /^The list of engagements changed while it was read.* Run the node again/],
])('%s with %j hints at it', async (operation, more, hint) => {
	secondPage(3, 4);
	expect(await hintsOf(operation, more)).toEqual([expect.stringMatching(hint)]);
});

it.each([
	['other records', [4, 5, 6]],
	['nothing new', [1, 2, 3]],
	['one record twice', [4, 4]],
])('a page with %s is no change', async (_what, ids) => {
	secondPage(...ids);
	expect(await hintsOf('getAll')).toEqual([]);
});

it('an engagement that is not found in a list that changed may be missing from it', async () => {
	const get = async (id: number) =>
		await run(service, {
			...{ resource: 'engagement', operation: 'get', engagementId: { mode: 'id', value: id } },
			options: { pageSize: 3 },
		});
	secondPage(3, 4);
	expect(errorText(await get(5))).toMatch(
		/^No engagement has the ID 5 in the list, which changed while it was read.*Run the node again/,
	);
	secondPage(3, 4);
	expect((await get(4)).error).toBeUndefined();
	expect(errorText(await get(7))).toContain('No engagement has the ID 7 [item 0]');
});
