/** Data Refresh > Run with Wait for Completion: what a wait asks for, and how it ends. */
import { makeCredential } from '../support/world/credentials.mts';
import {
	errorText,
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
	findListRequests,
	one,
	refresh,
	refreshable,
	sentRefreshes,
	uploadIds,
	pickUploads,
} from './refreshes.mts';

useVirtualTime();

const HOUR = 3_600_000;

useService(beforeEach, refreshable);

it('lists the uploads of 48 hours once before all refreshes, then once per interval, for 100 engagements together', async () => {
	Object.assign(service.settings, { uploadDurationMs: 25_000, printZone: 'Asia/Tokyo' });
	const credential = makeCredential(service, { timeZone: 'Asia/Tokyo' });
	// In the service's zone.
	const from = new Date(service.model.now + (9 - 48) * HOUR).toISOString().slice(0, 19);
	const result = await run(service, refresh(), itemsFrom(1, 200), { credential });
	expect(new Set(pickUploads(result)).size).toBe(200);
	const lists = findListRequests(service);
	const lastRefresh = sentRefreshes(service).at(-1)?.at ?? 0;
	const after = lists.filter(({ at }) => at > lastRefresh);
	expect(lists.length - after.length).toBe(2);
	expect(service.requests).toHaveLength(200 + lists.length);
	const intervals = Math.round(((after.at(-1)?.at ?? 0) - (after[0]?.at ?? 0)) / 10_000) + 1;
	expect(after.length).toBeLessThanOrEqual(2 * intervals);
	expect(new Set(lists.map(({ query }) => query.createdDateFrom))).toEqual(new Set([from]));
});

const url = 'https://act.example.com/?token=eyJhbGciOiJub25lIn0.e30.c2ln&access_token=secret';

it.each([
	{ action: 'Sign In', url },
	{ action: 'RECONNECT', url, status: 'CONNECTION_EXPIRED' },
])('returns at once where the customer must act, with the address unchanged: %j', async (body) => {
	service.fail({ path: /refresh$/ }, { kind: 'status', status: 200, body });
	const result = await run(service, refresh(), one);
	expect(toJson(result.items)).toMatchObject([{ ...body, actionRequired: true, upload: null }]);
	expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
});

/** Lists all uploads with this status, and without a completion date. */
function showStatus(uploadStatus: string): void {
	service.settings.uploadDurationMs = Infinity;
	changeLists(service, (uploads) =>
		uploads.forEach((each) => Object.assign(each, { uploadStatus })),
	);
}

it('ends with an upload that says that it has completed, though not when', async () => {
	showStatus('Done');
	const result = await run(service, refresh(), one);
	expect(pickUploads(result)).toEqual(uploadIds(service));
	expect(result.items[0]?.json.upload).toMatchObject({ completionDate: null });
});

it('times out with the last status seen, cut and without secrets', async () => {
	showStatus(`LOADING ${service.accessToken} ${'x'.repeat(500)}`);
	const result = await run(service, refresh({ waitTimeout: 0.005 }), one);
	expect(errorText(result)).toMatch(
		/refresh of engagement 1 did not complete within Wait Timeout \(0.005 min\): the last status was LOADING \*\*\* x{10,100}…/s,
	);
});

it('says why it could not look at the uploads', async () => {
	const fault = { kind: 'status', status: 500 } as const;
	service.fail({ path: /\/uploads$/ }, fault, { skip: 1, times: Infinity });
	expect(errorText(await run(service, refresh(), one))).toMatch(
		/^Could not follow the data refreshes, which were started: .*the service failed \(status 500\)/,
	);
});

it('under Retry On Fail, a failed upload is reported in each attempt, without another refresh', async () => {
	service.model.refreshOutcomes.set(1, 'fails');
	const options = { ...onErrorContinue, maxTries: 3 };
	const { items } = await run(service, refresh(), itemsFrom(1, 2), options);
	expect(toJson(items)).toEqual([
		{ error: expect.stringContaining('has the status FAILED') },
		expect.objectContaining({ engagementId: 2, upload: expect.anything() }),
	]);
	expect(sentRefreshes(service)).toHaveLength(2);
});
