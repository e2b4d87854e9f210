/** Lists that are in another order than asked for, or change while they are read. */
import type { Settings } from '../support/service/settings.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import {
	activated,
	complete,
	completeMany,
	drain,
	expectNext,
	idsOf,
	service,
	trigger,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

useVirtualTime();
useSmallService();

it.each<[string, Partial<Settings>]>([
	['is ignored', { honourOrderBy: false }],
	['is rejected', { rejectOrderBy: true }],
])(
	'an order that %s, though it was honoured before, loses and repeats nothing',
	async (_, settings) => {
		completeMany(40, 30);
		const poller = trigger({ options: { pageSize: 10 } });
		for (let polls = 0; polls < 5; polls++) {
			if (polls === 2) Object.assign(service.settings, settings);
			// The later one completed, the longer it took.
			const ids = Array.from({ length: polls === 0 ? 0 : 12 }, (_each, index) => {
				const createdAt = service.model.now - (index + 1) * HOUR;
				return complete(12 - index, { createdAt });
			});
			expect(await idsOf(poller)).toEqual(ids);
			service.model.moveClock(20 * MINUTE);
		}
		expect(await idsOf(poller)).toEqual([]);
	},
);

it.each([400, 405, 422])('an order that is rejected with %i is left out', async (status) => {
	service.fail({ query: { orderBy: /./ } }, { kind: 'status', status }, { times: Infinity });
	const poller = await activated();
	await expectNext(poller);
	expect(await idsOf(poller)).toEqual([]);
});

/** Runs a function once, after a page of uploads has been sent. */
function afterPage(page: number, happens: () => void): void {
	const handle = service.handle.bind(service);
	let done = false;
	service.handle = (request) => {
		const outcome = handle(request);
		if (!done && request.path.endsWith('/uploads') && request.query.page === String(page)) {
			done = true;
			happens();
		}
		return outcome;
	};
}

it.each([
	['gets another date', { completedAt: Date.UTC(2026, 5, 15, 10) }],
	['is no longer completed', { completedAt: null, status: 'PROCESSING' }],
])('an upload that %s while pages are read hides none of the others', async (_, change) => {
	const ids = completeMany(12, 1000);
	afterPage(2, () => service.model.updateUpload(ids[0] ?? '', change));
	const poller = trigger({ startFrom: 'beginning', options: { pageSize: 2 } });
	const emitted = (await drain(poller)).flat();
	expect(emitted).toEqual(expect.arrayContaining(ids.slice(1)));
	expect(new Set(emitted).size).toBe(emitted.length);
});
