/** Services whose times are off, and a credential whose Time Zone is corrected. */
import { advising } from '../support/advice.mts';
import { events } from '../../nodes/EngagementUploads/trigger/events/index.ts';
import { credentialOf } from '../support/credentials.mts';
import type { Poller } from '../support/engine/poll.mts';
import {
	activated,
	changesOf,
	complete,
	idsOf,
	modes,
	service,
	setStatus,
	start,
	trigger,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

useSmallService();

function setZone({ credentials }: Poller, timeZone: string): void {
	credentials.save('engagementUploadsApi', credentialOf(service, { timeZone }));
}

const corrections = modes.flatMap((mode) =>
	['America/New_York', 'Australia/Sydney'].map((right) => ({ ...mode, wrong: 'UTC', right })),
);

describe.each(corrections)(
	'Time Zone corrected from $wrong to $right (durable: $durable)',
	({ wrong, right, durable }) => {
		beforeEach(() => {
			service.settings.printZone = right;
		});

		const pollerIn = (zone: string, parameters: object) =>
			trigger(
				{ ...parameters },
				{ durable, credential: credentialOf(service, { timeZone: zone }) },
			);

		const dated = events.filter(({ isFollowing }) => !isFollowing);
		it.each(dated)('$name loses and repeats nothing', async ({ value: event, date }) => {
			const add = date === 'creationDate' ? start : complete;
			for (const minutesAgo of [600, 90, 5]) add(minutesAgo);
			const poller = pollerIn(wrong, { event });
			expect(await idsOf(poller)).toEqual([]);
			for (let polls = 0; polls < 3; polls++) {
				service.model.moveClock(40 * MINUTE);
				const id = add(1);
				expect(await idsOf(poller)).toEqual([id]);
			}
			setZone(poller, right);
			expect(await idsOf(poller)).toEqual([]);
			const late = add(100);
			expect(await idsOf(poller)).toEqual([late]);
			for (let polls = 0; polls < 3; polls++) {
				service.model.moveClock(40 * MINUTE);
				const ids = [add(100), add(0)];
				expect(await idsOf(poller)).toEqual(ids);
				expect(await idsOf(poller)).toEqual([]);
			}
		});

		it('Upload Status Changed continues, even for uploads that have ended', async () => {
			const [open, ended] = [start(100), start(60)];
			service.model.completeUpload(ended, service.model.now - 10 * MINUTE);
			const poller = pollerIn(wrong, { event: 'uploadStatusChanged' });
			expect(await changesOf(poller)).toEqual([]);
			service.model.moveClock(MINUTE);
			setZone(poller, right);
			expect(await changesOf(poller)).toEqual([]);
			setStatus(open, 'PROCESSING');
			setStatus(ended, 'ARCHIVED');
			expect(await changesOf(poller)).toEqual([
				[open, 'LOADING', 'PROCESSING'],
				[ended, 'COMPLETED', 'ARCHIVED'],
			]);
			expect(await changesOf(poller)).toEqual([]);
		});

		it('a backlog continues', async () => {
			const ids = Array.from({ length: 9 }, (_, index) => complete((9 - index) * 100));
			const options = { maxUploadsPerPoll: 2 };
			const poller = pollerIn(wrong, { startFrom: 'beginning', options });
			expect(await idsOf(poller)).toEqual(ids.slice(0, 2));
			setZone(poller, right);
			const emitted: string[] = [];
			for (let polls = 0; polls < 6; polls++) emitted.push(...(await idsOf(poller)));
			expect(emitted).toEqual(ids.slice(2));
		});
	},
);

it('Start Date is the time that it names, even after the Time Zone is corrected', async () => {
	service.settings.printZone = 'America/New_York';
	// Read as UTC, this one was four hours earlier, and so before the start.
	const hidden = complete(30);
	const parameters = { startFrom: 'date', startDate: '2026-06-15T09:00:00Z' };
	const poller = await activated(parameters);
	setZone(poller, 'America/New_York');
	complete(70);
	expect(await idsOf(poller)).toEqual([hidden]);
});

describe('the night in which the clocks are set back', () => {
	it.each(['UTC', 'Europe/London'])(
		'a look-back of an hour is no shorter (Time Zone: %s)',
		async (timeZone) => {
			service.settings.printZone = 'Europe/London';
			service.model.setClock(Date.UTC(2026, 9, 25, 0));
			const poller = await activated(
				{ options: { lookback: 60 } },
				{ credential: credentialOf(service, { timeZone }) },
			);
			const expected: string[] = [];
			const found: string[] = [];
			for (let minutes = 0; minutes < 240; minutes += 10) {
				service.model.moveClock(10 * MINUTE);
				expected.push(complete(0), complete(59));
				found.push(...(await idsOf(poller)));
				expect(await idsOf(poller)).toEqual([]);
			}
			expect(found.toSorted()).toEqual(expected.toSorted());
		},
	);
});

describe('times printed two hours ahead of the Date header for good', () => {
	const immediate = events.filter(
		({ date, excludesFailed }) => date === 'completionDate' || !excludesFailed,
	);
	it.each(immediate)(
		'$name neither stops nor costs more from day to day',
		async ({ value: event, date }) => {
			// A local time of a zone two hours ahead, with a Z.
			service.settings.dateForm = 'millisZ';
			const { handle } = service;
			service.handle = (request) => {
				const outcome = handle.call(service, request);
				const { headers = {} } = outcome.response ?? {};
				headers.date = new Date(service.model.now - 2 * HOUR).toUTCString();
				return outcome;
			};
			const poller = await activated({ event });
			const expected: string[] = [];
			const found: string[] = [];
			for (let hours = 0; hours < 4 * 24; hours++) {
				service.model.moveClock(HOUR);
				const ids = Array.from({ length: 4 }, (_, index) => start(index));
				for (const id of ids) {
					if (date === 'completionDate') service.model.completeUpload(id);
					else setStatus(id, 'FAILED');
				}
				expected.push(...ids);
				service.clearRequests();
				found.push(...(await idsOf(poller)));
				expect(service.requests.length).toBeLessThanOrEqual(2);
				expect(JSON.stringify(poller.state).length).toBeLessThan(6000);
			}
			const advice = `If a failed upload is no ${event}, set excludesFailed, or make this test cause it`;
			advising(advice, () => expect(found.toSorted()).toEqual(expected.toSorted()));
		},
	);
});
