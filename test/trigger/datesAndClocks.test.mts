/** Dates and clocks of the service that are wrong, or read in another Time Zone, must cost no upload. */
import { makeCredential } from '../support/world/credentials.mts';
import type { Poller } from '../support/engine/poller.mts';
import {
	activated,
	changeAnswers,
	changeCredential,
	complete,
	completeMany,
	drain,
	expectNext,
	listIds,
	service,
	start,
	trigger,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

useSmallService();

/** Moves the service's own time, as its responses tell it, twelve years ahead; returns what ends this. */
const moveDateHeader = () =>
	changeAnswers(({ headers }) => (headers.date = 'Fri, 01 Jan 2038 00:00:00 GMT'));

it('one wrong Date header loses nothing', async () => {
	const poller = await activated();
	const end = moveDateHeader();
	await expectNext(poller);
	end();
	await expectNext(poller);
});

it('a wrong Date header at the first poll hides nothing', async () => {
	service.model.clock.set(Date.now());
	const end = moveDateHeader();
	const poller = await activated();
	end();
	await expectNext(poller);
});

it.each([20, 300 * 24])('a date %i hours ahead hides and repeats no upload', async (hours) => {
	const poller = await activated();
	const ahead = complete(-hours * 60);
	expect(await listIds(poller)).toEqual([ahead]);
	for (let polls = 0; polls < 3; polls++) {
		service.model.clock.move(HOUR);
		const id = complete();
		expect(await listIds(poller)).toEqual([id]);
	}
});

/** Adds an upload to all responses; returns what ends this. */
const addOdd = (odd: Record<string, unknown>) =>
	changeAnswers(({ body }) =>
		body?.content?.push({ uploadId: 'odd', engagementId: 1, uploadStatus: 'LOADING', ...odd }),
	);

/** The IDs that a poll emits if the list has one more upload. */
async function pollWith(poller: Poller, odd: Record<string, unknown>): Promise<string[]> {
	const end = addOdd(odd);
	const ids = await listIds(poller);
	end();
	return ids;
}

it('an upload whose completion date has an unknown form is emitted once, and hides no other', async () => {
	// Time Zone is wrong, so that the others are dated hours back.
	service.settings.printZone = 'America/New_York';
	const poller = await activated();
	const completionDate = '15/06/2026 10:00';
	addOdd({ completionDate });
	expect(await poller.poll()).toMatchObject([{ json: { uploadId: 'odd', completionDate } }]);
	for (const time of [MINUTE, MINUTE, 12 * HOUR, 12 * HOUR]) {
		service.model.clock.move(time);
		await expectNext(poller);
	}
});

const creationDates = ['15/06/2026 10:00', 'now', '1970-01-01T00:00:00Z', null];

it.each(
	['uploadStarted', 'uploadStatusChanged', 'uploadStuck'].flatMap((event) =>
		creationDates.map((creationDate) => ({ event, creationDate })),
	),
)('an upload whose creation date is $creationDate is emitted once by $event', async (given) => {
	const { event, creationDate } = given;
	const poller = await activated({ event });
	// Only a date can make it stuck.
	const isWaiting = event === 'uploadStuck' && creationDate === null;
	for (const expected of [isWaiting ? [] : ['odd'], [], []]) {
		expect(await pollWith(poller, { creationDate })).toEqual(expected);
		service.model.clock.move(12 * HOUR);
	}
	const today = '2026-06-15T10:00:00';
	expect(await pollWith(poller, { creationDate: today })).toEqual(isWaiting ? ['odd'] : []);
});

it.each(creationDates)('one whose creation date is %s is followed until it fails', async (date) => {
	const poller = await activated({ event: 'uploadFailed' });
	for (const [uploadStatus, expected] of [
		['LOADING', []],
		['FAILED', ['odd']],
		['FAILED', []],
	] as const) {
		service.model.clock.move(12 * HOUR);
		expect(await pollWith(poller, { uploadStatus, creationDate: date })).toEqual(expected);
	}
});

it('an upload that gets its creation date later is not kept in the state for ever', async () => {
	const poller = await activated({ event: 'uploadStarted' });
	expect(await pollWith(poller, { creationDate: null })).toEqual(['odd']);
	expect(await pollWith(poller, { creationDate: '2026-06-15T10:00:00' })).toEqual([]);
	for (let polls = 0; polls < 5; polls++) {
		service.model.clock.move(12 * HOUR);
		await expectNext(poller, start);
	}
	expect(JSON.stringify(poller.globalState)).not.toContain('"odd"');
});

it.each(['America/New_York', 'Australia/Sydney'])(
	'correcting Time Zone to %s loses nothing, and may repeat recent uploads',
	async (timeZone) => {
		service.settings.printZone = timeZone;
		const recent = [300, 90, 5].map((minutesAgo) => complete(minutesAgo));
		const poller = await activated();
		for (let polls = 0; polls < 3; polls++) {
			service.model.clock.move(40 * MINUTE);
			await expectNext(poller);
		}
		changeCredential(poller, { timeZone });
		for (const id of await listIds(poller)) expect(recent).toContain(id);
		for (let polls = 0; polls < 3; polls++) {
			const ids = [complete(100), complete(0)];
			expect(await listIds(poller)).toEqual(ids);
			expect(await listIds(poller)).toEqual([]);
			service.model.clock.move(40 * MINUTE);
		}
	},
);

it('correcting Time Zone in the middle of a back-log loses nothing', async () => {
	const ids = completeMany(60, 10);
	const credential = makeCredential(service, { timeZone: 'America/New_York' });
	const options = { lookback: 0, maxUploadsPerPoll: 10 };
	const poller = trigger({ startFrom: 'beginning', options }, { credential });
	const emitted = [...(await listIds(poller)), ...(await listIds(poller))];
	changeCredential(poller, { timeZone: 'UTC' });
	emitted.push(...(await drain(poller)).flat());
	expect([...new Set(emitted)].toSorted()).toEqual(ids.toSorted());
});

it.each(['UTC', 'Europe/London'])(
	'a look-back of an hour is no shorter in the night in which the clocks are set back (Time Zone: %s)',
	async (timeZone) => {
		service.settings.printZone = 'Europe/London';
		service.model.clock.set(Date.UTC(2026, 9, 25, 0));
		const credential = makeCredential(service, { timeZone });
		const poller = await activated({ options: { lookback: 60 } }, { credential });
		const [expected, found]: [string[], string[]] = [[], []];
		for (let minutes = 0; minutes < 240; minutes += 10) {
			service.model.clock.move(10 * MINUTE);
			expected.push(complete(0), complete(59));
			found.push(...(await listIds(poller)));
			expect(await listIds(poller)).toEqual([]);
		}
		expect(found.toSorted()).toEqual(expected.toSorted());
	},
);
