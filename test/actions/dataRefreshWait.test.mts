import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../support/service/faults.mts';
import type { SimulatedService } from '../support/service/http.mts';
import {
	changeLists,
	looksOf,
	one,
	onErrorContinue,
	refresh,
	refreshable,
	sentRefreshes,
	uploadIds,
	uploadsOf,
} from './refreshing.mts';
import { endpointCredentialOf } from '../support/credentials.mts';
import {
	errorText,
	itemsFrom,
	jsonOf,
	run,
	start,
	until,
	useService,
	type RunOptions,
} from '../support/runs.mts';
import { useVirtualTime } from '../support/virtualTime.mts';

useVirtualTime();

const DAY = 86_400_000;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let service: SimulatedService;

useService(beforeEach, async () => (service = await refreshable()));

it('adds the record of the refreshed upload', async () => {
	const { items, error } = await run(service, refresh(), one);
	expect(error).toBeUndefined();
	const upload = service.model.lastUpload(1);
	expect(jsonOf(items)).toEqual([
		{
			action: 'No Action Required',
			url: null,
			engagementId: 1,
			connectorName: 'cloudbooks',
			actionRequired: false,
			upload: {
				uploadId: upload?.uploadId,
				uploadStatus: 'COMPLETED',
				uploadType: 'FULL',
				engagementId: 1,
				externalEngagementId: 'E1',
				engagementName: 'Company 1',
				connectorName: 'cloudbooks',
				smeName: 'Company 1',
				creationDate: expect.stringMatching(ISO),
				completionDate: expect.stringMatching(ISO),
			},
		},
	]);
});

it('times out with the last status seen', async () => {
	service.settings.uploadDurationMs = Infinity;
	const result = await run(service, refresh({}, { waitTimeout: 0.005 }), one);
	expect(errorText(result)).toMatch(
		/data refresh of engagement 1 was not complete after 0.005 minutes \(last status LOADING\)/,
	);
	expect(errorText(result)).toContain('Wait Timeout');
});

it.each<[Fault, RegExp]>([
	[{ kind: 'html' }, /the latest check failed: .*it is a web page/],
	[{ kind: 'status', status: 500 }, /the service failed \(status 500\)/],
	[{ kind: 'reset' }, /the connection to the service was lost/],
])('says why it could not look at the uploads: %j', async (fault, reason) => {
	service.fail({ path: /\/uploads$/ }, fault, { skip: 1, times: Infinity });
	const result = await run(service, refresh({}, { waitTimeout: 1 }), one);
	expect(errorText(result)).toMatch(reason);
	expect(errorText(result)).toContain('no new upload has been seen; the latest check failed: ');
});

it('quotes a status without secrets and at a sensible length', async () => {
	const status = `LOADING ${service.accessToken} ${'x'.repeat(500)}`;
	const body = [{ uploadId: 'u', engagementId: 1, connectorName: 'cloudbooks', status }];
	const changed: Fault = { kind: 'status', status: 200, body };
	service.fail({ path: /\/uploads$/ }, changed, { skip: 1, times: 99 });
	const result = await run(service, refresh({}, { waitTimeout: 0.005 }), one);
	expect(errorText(result)).toMatch(/\(last status LOADING \*\*\* x{10,100}…\)/);
});

it('checks once per interval for up to 100 engagements', async () => {
	const duration = 1500;
	const interval = 0.5;
	service.settings.uploadDurationMs = duration;
	const { items, error } = await run(
		service,
		refresh({}, { waitInterval: interval }),
		itemsFrom(1, 200),
	);
	expect(error).toBeUndefined();
	expect(
		jsonOf(items).every(({ upload }) => (upload as IDataObject).uploadStatus === 'COMPLETED'),
	).toBe(true);
	expect(sentRefreshes(service)).toHaveLength(200);
	const lastPost = sentRefreshes(service).at(-1)?.at ?? 0;
	const after = looksOf(service).filter(({ at }) => at > lastPost);
	const span = (after.at(-1)?.at ?? 0) - (after[0]?.at ?? 0);
	const intervals = Math.round(span / (interval * 1000)) + 1;
	expect(after.length).toBeLessThanOrEqual(2 * intervals);
	expect(looksOf(service).length - after.length).toBe(2);
	expect(service.requests).toHaveLength(200 + looksOf(service).length);
});

it('stops within a second when the execution is cancelled', async () => {
	service.settings.uploadDurationMs = Infinity;
	const { done, cancel } = start(service, refresh({}, { waitInterval: 60 }), one);
	await until(() => sentRefreshes(service)[0]?.doneAt !== undefined, 'the refresh is sent');
	const cancelledAt = Date.now();
	cancel();
	await done;
	expect(Date.now() - cancelledAt).toBeLessThan(1000);
	const sent = service.requests.length;
	expect(sent).toBe(2);
});

describe('under Retry On Fail', () => {
	it('continues to wait for a refresh whose wait timed out', async () => {
		service.settings.uploadDurationMs = 700;
		const result = await run(service, refresh({}, { waitTimeout: 0.005 }), one, { maxTries: 4 });
		expect(uploadsOf(result)).toEqual(uploadIds(service));
		expect(sentRefreshes(service)).toHaveLength(1);
	});

	describe.each<[string, Pick<RunOptions, 'onError'>, number, number]>([
		['stops', {}, 1, 15],
		['continues', onErrorContinue, 0, 0.005],
		['uses the error output', { onError: 'continueErrorOutput' }, 0, 0.005],
	])('if On Error %s', (_what, onError, refused, waitTimeout) => {
		const twice = { ...onError, maxTries: 2 };
		const refuse = (skip: number) =>
			service.fail({ path: /refresh$/ }, { kind: 'status', status: 422 }, { skip });

		it('finds the uploads of one engagement whose refreshes were sent in two attempts', async () => {
			// A slow service lists uploads only after all refreshes have been sent.
			changeLists(service, (uploads) => {
				if (sentRefreshes(service).length < 3) uploads.splice(0);
			});
			refuse(refused);
			// With Continue, n8n repeats the run for the first item, and the wait for the second one
			// times out before.
			const items = [15, waitTimeout].map((minutes) => ({ id: 1, minutes }));
			const waits = refresh({}, { waitTimeout: '={{ $json.minutes }}' });
			const result = await run(service, waits, items, twice);
			expect(result.errorItems).toEqual([]);
			expect(uploadsOf(result).toSorted()).toEqual(uploadIds(service).toSorted());
			expect(sentRefreshes(service)).toHaveLength(3);
		});

		it.each([
			['behind', -40],
			['ahead of', 40],
		])("lists the same uploads if the service's clock is %s n8n's", async (_where, days) => {
			service.settings.clockSkewMs = days * DAY;
			// Listed only from a time that n8n's clock tells.
			const createdAt = service.model.now - 10 * DAY;
			service.model.addCompletedUpload({ engagementId: 1, createdAt });
			refuse(0);
			const result = await run(service, refresh({}, { waitTimeout: 1 }), one, twice);
			expect(result.errorItems).toEqual([]);
			expect(uploadsOf(result)).toEqual([uploadIds(service)[1]]);
			expect(sentRefreshes(service)).toHaveLength(2);
		});
	});

	it('reports a failed upload in each attempt, without another refresh', async () => {
		service.model.refreshOutcomes.set(1, 'fails');
		const { items } = await run(service, refresh(), itemsFrom(1, 2), {
			...onErrorContinue,
			maxTries: 3,
		});
		expect(jsonOf(items)).toEqual([
			{ error: expect.stringContaining('has the status FAILED') },
			expect.objectContaining({ engagementId: 2, upload: expect.anything() }),
		]);
		expect(sentRefreshes(service)).toHaveLength(2);
	});
});

it('returns the address at which the customer must act, unchanged', async () => {
	const url = 'https://act.example.com/?token=eyJhbGciOiJub25lIn0.e30.c2ln&access_token=secret';
	const body = { action: 'Sign In', url };
	service.fail({ path: /refresh$/ }, { kind: 'status', status: 200, body });
	const { items } = await run(service, refresh({ connectorName: 'otherbooks' }), one, {
		credential: endpointCredentialOf(service),
	});
	expect(jsonOf(items)).toMatchObject([{ actionRequired: true, url, upload: null }]);
});

it('says which refreshes were started and which completed', async () => {
	service.model.refreshOutcomes.set(2, 'fails');
	const result = await run(service, refresh(), itemsFrom(1, 3));
	expect(errorText(result)).toMatch(/engagement 2 has failed: upload \S+ has.*\[item 1\]/);
	expect(result.error?.message).toMatch(
		/2 of 3 items had already been processed\. Refreshes started for engagements: 1, 2, 3\. Refreshes completed for engagements: 1, 3$/,
	);
});

it('waits on while the completion date is a placeholder', async () => {
	let looks = 0;
	changeLists(service, ([upload]) => {
		if (upload === undefined || ++looks >= 3) return;
		Object.assign(upload, { completionDate: '1970-01-01T00:00:00', uploadStatus: 'LOADING' });
	});
	const { items } = await run(service, refresh({}, { waitInterval: 0.01 }), one);
	expect(looks).toBeGreaterThanOrEqual(3);
	expect(jsonOf(items)).toMatchObject([{ upload: { uploadStatus: 'COMPLETED' } }]);
});
