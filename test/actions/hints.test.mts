/** Hints above the output: unknown statuses, lists that change while they are read, and filters that an expression left empty. */
import type { IDataObject } from 'n8n-workflow';

import { listHints, run, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeEach);

const hintsOf = async (parameters: IDataObject, items?: IDataObject[]) =>
	listHints(await run(service, parameters, items));

describe('a status that says nothing', () => {
	const hints = ['4', 'ON_HOLD'].map(
		(status) =>
			`The status “${status}” says neither that an upload completed, nor that it failed or is in progress. Uploads with it count as unfinished.`,
	);

	beforeEach(() => {
		const { model } = service;
		for (const status of ['4', 'ON_HOLD', '4', 'WAITING', 'FAILED'])
			model.addUpload({ engagementId: model.addEngagement().id, status });
		// A completion date decides.
		model.addCompletedUpload({ status: 'ARCHIVED' });
	});

	it.each([
		['getStatus', { dataStatuses: ['failed'] }],
		['getAll', { filters: { outcomes: ['failed'] } }],
	])('is named in a hint of %s, each once a run', async (operation, given) => {
		const resource = operation === 'getAll' ? 'upload' : 'engagement';
		expect(await hintsOf({ resource, operation, ...given }, [{}, {}])).toEqual(hints);
	});

	it('is no matter where nobody asks how uploads ended', async () => {
		expect(await hintsOf({ resource: 'upload', operation: 'getAll' })).toEqual([]);
	});
});

describe('a list from whose pages records slip', () => {
	/** Sends engagements (numbers) or uploads (letters) with these IDs as the pages of a list. */
	function sendPages(path: RegExp, ...lists: Array<Array<number | string>>): void {
		for (const [page, ids] of lists.entries()) {
			const content = ids.map((id) =>
				typeof id === 'number' ? { Id: id } : { uploadId: id, engagementId: 1 },
			);
			const body = { content, totalPages: lists.length };
			service.fail({ path, query: { page: String(page) } }, { kind: 'status', status: 200, body });
		}
	}
	const ENGAGEMENTS = /\/engagements$/;
	const list = { resource: 'engagement', returnAll: true, options: { pageSize: 3 } };

	it.each<[string, RegExp, IDataObject]>([
		['engagements', ENGAGEMENTS, { ...list, operation: 'getAll' }],
		['last uploads', /\/lastUploads$/, { ...list, operation: 'getStatus' }],
	])('is named in a hint: the %s', async (name, path, given) => {
		const isOfUploads = path !== ENGAGEMENTS;
		sendPages(path, isOfUploads ? ['a', 'b', 'c'] : [1, 2, 3], isOfUploads ? ['c', 'd'] : [3, 4]);
		expect(await hintsOf(given)).toContain(
			`The list changed while it was read (to get the ${name}), so some records may be missing. Run the node again.`,
		);
	});

	it.each([
		['other records', [4, 5, 6]],
		['nothing new', [1, 2, 3]],
		['one record twice', [4, 4]],
	])('a page with %s is no change', async (_what, ids) => {
		sendPages(ENGAGEMENTS, [1, 2, 3], ids);
		expect(await hintsOf({ ...list, operation: 'getAll' })).toEqual([]);
	});
});

it('a filter that an expression left empty is named in a hint, once', async () => {
	const filters = { engagementIds: '={{ $json.id }}', uploadId: '', connectorNames: 'cloudbooks' };
	const hints = await hintsOf({ resource: 'upload', operation: 'getAll', filters }, [{}, {}]);
	expect(hints).toEqual(['Engagement IDs was not applied where its expression had no value.']);
});
