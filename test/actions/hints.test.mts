/** Hints above the output: unknown statuses, lists that change while they are read, and filters that an expression left empty. */
import type { IDataObject } from 'n8n-workflow';

import { listHints, run, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeEach);

const hintsOf = async (parameters: IDataObject, items?: IDataObject[]) =>
	listHints(await run(service, parameters, items));

it.each([
	['engagement', 'getStatus', { dataStatuses: ['failed'] }],
	['upload', 'getAll', { filters: { outcomes: ['failed'] } }],
])(
	'a status that says nothing is named once a run, by %s.%s',
	async (resource, operation, given) => {
		const { model } = service;
		for (const status of ['4', 'ON_HOLD', '4', 'WAITING', 'FAILED'])
			model.addUpload({ engagementId: model.addEngagement().id, status });
		expect(await hintsOf({ resource, operation, ...given }, [{}, {}])).toEqual(
			['4', 'ON_HOLD'].map(
				(status) =>
					`The status “${status}” says neither that an upload completed, nor that it failed or is in progress. Uploads with it count as unfinished.`,
			),
		);
	},
);

it.each([
	['overlaps', [3, 4], 1],
	['has other records', [4, 5], 0],
	['brings nothing new', [1, 2, 3], 0],
	['has one twice', [4, 4], 0],
])('a list whose next page %s changed while it was read: %j, %d', async (_what, ids, count) => {
	for (const [page, numbers] of [[1, 2, 3], ids].entries()) {
		const body = { content: numbers.map((Id) => ({ Id })), totalPages: 2 };
		service.fail({ query: { page: String(page) } }, { kind: 'status', status: 200, body });
	}
	const list = { resource: 'engagement', operation: 'getAll', returnAll: true };
	const hints = await hintsOf({ ...list, options: { pageSize: 3 } });
	const hint = expect.stringMatching(/^The list changed .*\(to get the engagements\).* missing/);
	expect(hints).toEqual(Array<unknown>(count).fill(hint));
});

it('a filter that an expression left empty is named in a hint, once', async () => {
	const filters = { engagementIds: '={{ $json.id }}', uploadId: '', connectorNames: 'cloudbooks' };
	const hints = await hintsOf({ resource: 'upload', operation: 'getAll', filters }, [{}, {}]);
	expect(hints).toEqual(['Engagement IDs was not applied where its expression had no value.']);
});
