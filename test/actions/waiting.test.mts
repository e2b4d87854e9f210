/** Data Refresh > Run with Wait for Completion. test/actions/randomWrites has which upload belongs to which refresh. */
import type { IDataObject } from 'n8n-workflow';

import {
	errorText,
	itemsFrom,
	onErrorContinue,
	run,
	service,
	toJson,
	useService,
} from '../support/engine/runs.mts';
import { startService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { makeCredential } from '../support/world/credentials.mts';
import { listPosts } from './creates.mts';

const HOUR = 3_600_000;

useVirtualTime();
useService(beforeEach, startService);
beforeEach(() => {
	const { model } = service;
	model.addConnector({ id: '1', name: 'cloudbooks' });
	for (const { id } of itemsFrom(1, 200)) {
		model.addEngagement({ id });
		model.refreshOutcomes.set(id, 'completes');
	}
	service.settings.uploadDurationMs = 100;
});

/** For the item's engagement. */
const refresh = (over: IDataObject = {}): IDataObject => ({
	...{ resource: 'dataRefresh', operation: 'run', engagementId: '={{ $json.id }}' },
	...{ connectorName: 'cloudbooks', waitForCompletion: true },
	...over,
});

it('lists the uploads of 48 hours once before all refreshes, then once per interval, for 100 engagements together', async () => {
	Object.assign(service.settings, { uploadDurationMs: 25_000, printZone: 'Asia/Tokyo' });
	const credential = makeCredential(service, { timeZone: 'Asia/Tokyo' });
	// In the service's zone.
	const from = new Date(service.model.now + (9 - 48) * HOUR).toISOString().slice(0, 19);
	const { items } = await run(service, refresh(), itemsFrom(1, 200), { credential });
	const uploads = toJson(items).map(({ upload }) => Object(upload).uploadId as string);
	expect(uploads).toEqual(service.model.uploads.all.map(({ uploadId }) => uploadId));
	const lists = service.requests.filter(({ method }) => method === 'GET');
	const lastRefresh = listPosts(service).at(-1)?.at ?? 0;
	const after = lists.filter(({ at }) => at > lastRefresh);
	expect(lists.length - after.length).toBe(2);
	const intervals = Math.round(((after.at(-1)?.at ?? 0) - (after[0]?.at ?? 0)) / 10_000) + 1;
	expect(after.length).toBeLessThanOrEqual(2 * intervals);
	expect(new Set(lists.map(({ query }) => query.createdDateFrom))).toEqual(new Set([from]));
});

it('returns at once where the customer must act, with the address unchanged', async () => {
	const url = 'https://act.example.com/?token=eyJhbGciOiJub25lIn0.e30.c2ln&access_token=secret';
	const body = { action: 'RECONNECT', url, status: 'CONNECTION_EXPIRED' };
	service.fail({ path: /refresh$/ }, { kind: 'status', status: 200, body });
	const { items } = await run(service, refresh(), [{ id: 1 }]);
	expect(toJson(items)).toMatchObject([{ ...body, actionRequired: true, upload: null }]);
	expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
});

it('times out with the last status seen, cut and without secrets', async () => {
	service.settings.uploadDurationMs = Infinity;
	const start = refresh({ waitTimeout: 1 });
	const handle = service.handle.bind(service);
	service.handle = (request) => {
		for (const { uploadId } of service.model.uploads.all)
			service.model.updateUpload(uploadId, {
				status: `LOADING ${service.accessToken} ${'x'.repeat(500)}`,
			});
		return handle(request);
	};
	expect(errorText(await run(service, start, [{ id: 1 }]))).toMatch(
		/refresh of engagement 1 did not complete within Wait Timeout \(1 min\): the last status was LOADING \*\*\* x{10,100}…/s,
	);
});

it.each([
	[0, /^Could not look for earlier uploads, so no refresh was sent: .*\(403\)/],
	[1, /^Could not follow the data refreshes, which were started: .*\(403\)/],
])('says what was sent if uploads cannot be listed: %d', async (sent, message) => {
	const fault = { kind: 'status', status: 403 } as const;
	service.fail({ path: /\/uploads$/ }, fault, { skip: sent, times: Infinity });
	expect(errorText(await run(service, refresh(), [{ id: 1 }]))).toMatch(message);
	expect(listPosts(service)).toHaveLength(sent);
});

describe('under Retry On Fail', () => {
	it('a failed upload is reported in each attempt, without another refresh', async () => {
		service.model.refreshOutcomes.set(1, 'fails');
		const options = { ...onErrorContinue, maxTries: 3 };
		const { items } = await run(service, refresh(), itemsFrom(1, 2), options);
		expect(toJson(items)).toEqual([
			{ error: expect.stringContaining('has the status FAILED') },
			expect.objectContaining({ engagementId: 2, upload: expect.anything() }),
		]);
		expect(listPosts(service)).toHaveLength(2);
	});

	it('a refresh of several items is sent once in all tries, and a refused one again', async () => {
		service.fail({ path: /\/2\/.*refresh$/ }, { kind: 'status', status: 422 });
		const same = [{ id: 1 }, { id: 2 }, { id: 1 }];
		const { items } = await run(service, refresh(), same, { maxTries: 2 });
		expect(toJson(items).map(({ engagementId }) => engagementId)).toEqual([1, 2, 1]);
		const sent = listPosts(service).map(({ path }) => path.split('/')[3]);
		expect(sent).toEqual(['1', '2', '2']);
	});
});
