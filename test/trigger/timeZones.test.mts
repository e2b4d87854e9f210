/** A service whose times are off, and a credential whose Time Zone is corrected. */
import { credentialOf } from '../support/credentials.mts';
import type { Poller } from '../support/engine/poll.mts';
import {
	activated,
	complete,
	expectNext,
	idsOf,
	modes,
	service,
	trigger,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

useSmallService();

function setZone({ credentials }: Poller, timeZone: string): void {
	credentials.save('engagementUploadsApi', credentialOf(service, { timeZone }));
}

it.each(
	modes.flatMap((mode) =>
		['America/New_York', 'Australia/Sydney'].map((right) => ({ ...mode, right })),
	),
)('correcting the Time Zone loses and repeats nothing, %o', async ({ durable, right }) => {
	service.settings.printZone = right;
	for (const minutesAgo of [600, 90, 5]) complete(minutesAgo);
	const poller = await activated({}, { durable });
	for (let polls = 0; polls < 3; polls++) {
		service.model.moveClock(40 * MINUTE);
		await expectNext(poller);
	}
	setZone(poller, right);
	expect(await idsOf(poller)).toEqual([]);
	for (let polls = 0; polls < 3; polls++) {
		const ids = [complete(100), complete(0)];
		expect(await idsOf(poller)).toEqual(ids);
		expect(await idsOf(poller)).toEqual([]);
		service.model.moveClock(40 * MINUTE);
	}
});

it.each(['UTC', 'Europe/London'])(
	'a look-back of an hour is no shorter in the night in which the clocks are set back (Time Zone: %s)',
	async (timeZone) => {
		service.settings.printZone = 'Europe/London';
		service.model.setClock(Date.UTC(2026, 9, 25, 0));
		const credential = credentialOf(service, { timeZone });
		const poller = await activated({ options: { lookback: 60 } }, { credential });
		const [expected, found]: [string[], string[]] = [[], []];
		for (let minutes = 0; minutes < 240; minutes += 10) {
			service.model.moveClock(10 * MINUTE);
			expected.push(complete(0), complete(59));
			found.push(...(await idsOf(poller)));
			expect(await idsOf(poller)).toEqual([]);
		}
		expect(found.toSorted()).toEqual(expected.toSorted());
	},
);

it('times printed two hours ahead of the Date header lose nothing', async () => {
	// A local time of a zone two hours ahead, with a Z.
	service.settings.dateForm = 'millisZ';
	const { handle } = service;
	service.handle = (request) => {
		const outcome = handle.call(service, request);
		const date = new Date(service.model.now - 2 * HOUR).toUTCString();
		Object.assign(outcome.response?.headers ?? {}, { date });
		return outcome;
	};
	const poller = trigger();
	expect(await idsOf(poller)).toEqual([]);
	for (let hours = 0; hours < 6; hours++) {
		service.model.moveClock(HOUR);
		const ids = [3, 2, 1].map((minutes) => complete(minutes));
		expect(await idsOf(poller)).toEqual(ids);
	}
});
