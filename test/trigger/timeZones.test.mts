/** A service whose times are off, and a credential whose Time Zone is corrected. */
import { makeCredential } from '../support/credentials.mts';
import {
	activated,
	changeCredential,
	complete,
	expectNext,
	listIds,
	modes,
	service,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;

useSmallService();

it.each(
	modes.flatMap((mode) =>
		['America/New_York', 'Australia/Sydney'].map((right) => ({ ...mode, right })),
	),
)(
	'correcting Time Zone loses nothing, and may repeat recent uploads, %o',
	async ({ durable, right }) => {
		service.settings.printZone = right;
		const recent = [300, 90, 5].map((minutesAgo) => complete(minutesAgo));
		const poller = await activated({}, { durable });
		for (let polls = 0; polls < 3; polls++) {
			service.model.moveClock(40 * MINUTE);
			await expectNext(poller);
		}
		changeCredential(poller, { timeZone: right });
		for (const id of await listIds(poller)) expect(recent).toContain(id);
		for (let polls = 0; polls < 3; polls++) {
			const ids = [complete(100), complete(0)];
			expect(await listIds(poller)).toEqual(ids);
			expect(await listIds(poller)).toEqual([]);
			service.model.moveClock(40 * MINUTE);
		}
	},
);

it.each(['UTC', 'Europe/London'])(
	'a look-back of an hour is no shorter in the night in which the clocks are set back (Time Zone: %s)',
	async (timeZone) => {
		service.settings.printZone = 'Europe/London';
		service.model.setClock(Date.UTC(2026, 9, 25, 0));
		const credential = makeCredential(service, { timeZone });
		const poller = await activated({ options: { lookback: 60 } }, { credential });
		const [expected, found]: [string[], string[]] = [[], []];
		for (let minutes = 0; minutes < 240; minutes += 10) {
			service.model.moveClock(10 * MINUTE);
			expected.push(complete(0), complete(59));
			found.push(...(await listIds(poller)));
			expect(await listIds(poller)).toEqual([]);
		}
		expect(found.toSorted()).toEqual(expected.toSorted());
	},
);
