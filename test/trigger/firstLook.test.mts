/** The first poll with Start From: Now, which takes what is there as it is. */
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { useVirtualTime } from '../support/virtualTime.mts';
import {
	activated,
	complete,
	expectNext,
	idsOf,
	modes,
	service,
	setStatus,
	start,
	trigger,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;

useVirtualTime();
useSmallService();

const json = (body: object) =>
	({ kind: 'raw', body: JSON.stringify(body), contentType: 'application/json' }) as const;

const old = {
	uploadId: 'old',
	engagementId: 1,
	uploadStatus: 'COMPLETED',
	creationDate: '2025-06-15T09:00:00',
	completionDate: '2025-06-15T10:00:00',
};

describe.each(modes)('in mode %o', (mode) => {
	describe.each([
		['empty', { content: [] }],
		['short', { content: [old] }],
	])('a first look that is %s by mistake', (_, body) => {
		it.each([
			{ event: 'uploadCompleted', add: complete },
			{ event: 'uploadStarted', add: start },
		])('makes no old upload of $event new', async ({ event, add }) => {
			for (let days = 400; days > 1; days -= 10) complete(days * 24 * 60);
			// Dated within the look-back and 27 hours of the first look, it may be emitted.
			complete(29 * 60 + 30);
			service.fail({ path: /uploads$/ }, json(body), { times: Infinity });
			const poller = await activated({ event }, mode);
			service.clearFaults();
			for (let polls = 0; polls < 3; polls++) expect(await idsOf(poller)).toEqual([]);
			await expectNext(poller, add);
			expect(await idsOf(poller)).toEqual([]);
		});
	});

	it('at a dormant account leaves a request for each poll', async () => {
		for (let days = 900; days > 300; days--) complete(days * 24 * 60);
		const poller = await activated({}, mode);
		for (let polls = 0; polls < 3; polls++) {
			service.clearRequests();
			expect(await idsOf(poller)).toEqual([]);
			expect(service.requests).toHaveLength(1);
		}
		await expectNext(poller);
	});

	it('of a large account goes on in the next polls, and every failure after it is emitted', async () => {
		const ids = Array.from({ length: 400 }, (_each, at) => start((400 - at) * 20));
		Object.assign(service.settings, { latencyMs: 2000, pageFields: 'lastOnly' });
		const options = { pageSize: 10, maxUploadsPerPoll: 20 };
		const poller = trigger({ event: 'uploadFailed', options }, mode);
		for (let polls = 0; polls < 12; polls++) {
			const begun = systemClock.now();
			expect(await idsOf(poller)).toEqual([]);
			// n8n gives up on publishing a workflow after 84 seconds.
			expect(systemClock.now() - begun).toBeLessThan(polls === 0 ? MINUTE : 5 * MINUTE);
		}
		Object.assign(service.settings, { latencyMs: 0, pageFields: 'spring' });
		for (const id of [ids[1], ids[200], ids.at(-1)]) setStatus(id ?? '', 'FAILED');
		expect((await idsOf(poller)).sort()).toEqual([ids[1], ids[200], ids.at(-1)].sort());
		expect(await idsOf(poller)).toEqual([]);
	});
});

it('does not wait for as long as a later poll may take', async () => {
	service.settings.latencyMs = 2 * MINUTE;
	const poller = trigger();
	const begun = systemClock.now();
	await expect(poller.poll()).rejects.toThrow('did not respond');
	expect(systemClock.now() - begun).toBeLessThan(MINUTE);
});

it('loses nothing if the Date header is wrong by years', async () => {
	service.model.setClock(Date.now());
	const right = service.handle.bind(service);
	service.handle = (request) => {
		const outcome = right(request);
		const date = new Date(Date.now() + 3 * 365 * 24 * 60 * MINUTE).toUTCString();
		Object.assign(outcome.response?.headers ?? {}, { date });
		return outcome;
	};
	const poller = await activated();
	service.handle = right;
	await expectNext(poller);
});
