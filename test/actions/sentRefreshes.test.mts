/** Data Refresh > Run with Wait for Completion: which upload belongs to which refresh. */
import {
	itemsFrom,
	onErrorContinue,
	run,
	service,
	toJson,
	useService,
} from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import {
	changeLists,
	refresh,
	refreshable,
	sentRefreshes,
	uploadIds,
	pickUploads,
} from './refreshes.mts';

useVirtualTime();

useService(beforeEach, refreshable);

it('is the first of its engagement that was not listed before, whatever its connector is called', async () => {
	// Each in a second of its own, as far as dates tell.
	Object.assign(service.settings, {
		uploadDurationMs: 0,
		latencyMs: 1000,
		ignoredFilters: ['engagementId'],
		unsortedDefault: 'newestFirst',
	});
	service.model.addCompletedUpload({ engagementId: 2 });
	service.model.addCompletedUpload({ engagementId: 1, createdAt: service.model.now });
	changeLists(service, (uploads) => {
		for (const each of uploads) each.connectorName = 'Cloud Books';
	});
	const older = uploadIds(service).length;
	const result = await run(service, refresh(), itemsFrom(1, 2));
	expect(pickUploads(result)).toEqual(uploadIds(service).slice(older));
});

describe('an engagement and connector in several items', () => {
	const same = [{ id: 1, body: 'a' }, { id: 2 }, { id: 1, body: 'b' }];
	const customBody = '={{ { marker: $json.body } }}';
	beforeEach(() => (service.settings.extraBody = ['marker']));

	it('is refreshed once, with the first Custom Body, and all get its upload', async () => {
		const result = await run(service, refresh({ options: { customBody } }), same, onErrorContinue);
		expect(sentRefreshes(service).map(({ path, body }) => [path, body])).toEqual([
			[expect.stringContaining('/1/'), { marker: 'a' }],
			[expect.stringContaining('/2/'), {}],
		]);
		const [first, second] = uploadIds(service);
		expect(pickUploads(result)).toEqual([first, second, first]);
	});

	it('is refreshed once in all tries of a run, and a refusal is tried again', async () => {
		service.fail({ path: /\/2\/.*refresh$/ }, { kind: 'status', status: 422 });
		const { items } = await run(service, refresh(), same, { maxTries: 2 });
		expect(toJson(items).map(({ engagementId }) => engagementId)).toEqual([1, 2, 1]);
		const sent = sentRefreshes(service).map(({ path }) => path.split('/')[3]);
		expect(sent).toEqual(['1', '2', '2']);
	});
});

it('sends no refresh if the uploads of an engagement cannot be listed', async () => {
	const match = { method: 'GET', query: { engagementId: /\b2\b/ } };
	service.fail(match, { kind: 'status', status: 403 }, { times: Infinity });
	const { error } = await run(service, refresh(), itemsFrom(1, 3));
	expect(error?.message).toMatch(
		/look for earlier uploads, so no refresh was sent: .*\(403\).*\[item 1\]/,
	);
	expect(sentRefreshes(service)).toEqual([]);
});
