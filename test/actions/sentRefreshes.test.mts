/** Data Refresh > Run with Wait for Completion: which upload belongs to which refresh. */
import {
	itemsFrom,
	onErrorContinue,
	run,
	service,
	toJson,
	useService,
} from '../support/engine/runs.mts';
import type { Settings } from '../support/service/settings.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import {
	changeLists,
	one,
	refresh,
	refreshable,
	sentRefreshes,
	uploadIds,
	pickUploads,
} from './refreshes.mts';

useVirtualTime();

useService(beforeEach, refreshable);

it.each<[string, Partial<Settings>]>([
	['as documented', {}],
	[
		'of all engagements, newest first',
		{ ignoredFilters: ['engagementId'], unsortedDefault: 'newestFirst' },
	],
])('uploads listed %s go to their refreshes in the order of sending', async (_what, settings) => {
	// Each in a second of its own, as far as dates tell.
	Object.assign(service.settings, { uploadDurationMs: 0, latencyMs: 1000, ...settings });
	const { model } = service;
	model.addCompletedUpload({ engagementId: 7 });
	for (const connectorName of ['cloudbooks', 'otherbooks'])
		model.addCompletedUpload({ engagementId: 1, connectorName, createdAt: model.now });
	const older = uploadIds(service).length;
	const connectors = ['cloudbooks', 'otherbooks', 'cloudbooks', 'cloudbooks'];
	// An upload of a refresh that is not waited for is not that of a later one.
	const items = connectors.map((connector, at) => ({ id: 1, connector, waits: at !== 2 }));
	const each = refresh({
		connectorName: '={{ $json.connector }}',
		waitForCompletion: '={{ $json.waits }}',
	});
	const result = await run(service, each, items);
	const [first, second, , last] = uploadIds(service).slice(older);
	expect(pickUploads(result)).toEqual([first, second, undefined, last]);
});

it.each([
	['of another connector is not', 'otherbooks', 'cloudbooks'],
	['without a connector is', '', ''],
])('an upload %s taken for that of a refresh', async (_what, connectorName, listed) => {
	const other = { uploadId: 'other', engagementId: 1, connectorName, uploadStatus: 'FAILED' };
	changeLists(service, (uploads) => {
		for (const each of uploads) each.connectorName = listed;
		if (listed !== '' && sentRefreshes(service).length > 0) uploads.unshift(other);
	});
	expect(pickUploads(await run(service, refresh(), one))).toEqual(uploadIds(service));
});

it('gives no upload of a refresh with an unknown outcome to a later one', async () => {
	service.fail({ path: /refresh$/ }, { kind: 'reset', afterProcessing: true });
	const result = await run(service, refresh(), [...one, ...one], onErrorContinue);
	expect(toJson(result.items)[0]?.error).toContain('outcome is unknown');
	expect(pickUploads(result)[1]).toBe(uploadIds(service)[1]);
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
