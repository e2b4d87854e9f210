/** Dates that cannot be read, and dates and clocks that are far ahead, cost no upload. */
import type { Poller } from '../support/engine/poller.mts';
import {
	activated,
	changeAnswers,
	complete,
	expectNext,
	listIds,
	service,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

useSmallService();

it('a Date header that is far ahead hides nothing', async () => {
	service.model.clock.set(Date.now());
	const end = changeAnswers(({ headers }) => (headers.date = 'Fri, 01 Jan 2038 00:00:00 GMT'));
	const poller = await activated();
	await expectNext(poller);
	end();
	await expectNext(poller);
});

it.each([20, 3 * 365 * 24])('a date %i hours ahead hides and repeats no upload', async (hours) => {
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

const creationDates = ['15/06/2026 10:00', null];

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
