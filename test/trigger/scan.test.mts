import fc from 'fast-check';
import type { Place, Reading } from '../../nodes/EngagementUploads/trigger/progress.ts';
import {
	filterFrom,
	scan,
	scanNewest,
	type ScanRequest,
} from '../../nodes/EngagementUploads/trigger/scan.ts';
import { all, listOf, NOW, type Behaviour, type TestList } from './uploadList.mts';

const HOUR = 3_600_000;

/** Ages in milliseconds; many uploads have the same age. */
const ages = fc.array(
	fc.integer({ min: 0, max: 9000 }).map((age) => age * 60_000),
	{
		maxLength: 60,
		size: 'max',
	},
);
/** A list that treats orders in one of these ways, and the date from which it is read. */
const listsWith = (...orders: Array<Behaviour['order']>) =>
	fc
		.record({
			ages,
			behaviour: fc.record<Behaviour>({
				order: fc.constantFrom(...orders),
				statesPages: fc.boolean(),
				pageSize: fc.integer({ min: 1, max: 7 }),
			}),
			age: fc.nat(9000),
		})
		.map(({ ages, behaviour, age }) => ({
			list: listOf(ages, behaviour),
			lower: NOW - age * 60_000,
		}));
const anyList = listsWith('honoured', 'ignored', 'refused');
const everyMinute = (count: number) => Array.from({ length: count }, (_, index) => index * 60_000);
const idsFrom = ({ times }: TestList, lower: number) =>
	[...times].filter(([, time]) => time >= lower).map(([id]) => id);
const idsOf = ({ uploads }: Pick<Reading, 'uploads'>) => uploads.map(({ id }) => id);

describe('scan', () => {
	it('reads everything since a date, whatever the service does', async () => {
		await fc.assert(
			fc.asyncProperty(anyList, fc.boolean(), async ({ list, lower }, isBacklog) => {
				const reading = await scan(list, { ...all, lower, isBacklog });
				expect(reading.isWhole).toBe(true);
				expect(idsOf(reading)).toEqual(expect.arrayContaining(idsFrom(list, lower)));
			}),
		);
	});

	it('reads oldest first until there is enough, if the order is honoured', async () => {
		await fc.assert(
			fc.asyncProperty(
				listsWith('honoured'),
				fc.integer({ min: 1, max: 20 }),
				async ({ list, lower }, most) => {
					const isEnough: ScanRequest['isEnough'] = (uploads) =>
						uploads.filter(({ time }) => time >= lower).length >= most;
					const request = { ...all, lower, isBacklog: true, order: 'date' as const, isEnough };
					const { uploads, isWhole, isOldestFirst } = await scan(list, request);
					expect(isWhole || isOldestFirst).toBe(true);
					const newest = Math.max(...uploads.map(({ time }) => time));
					const older = [...list.times].filter(([, time]) => time >= lower && time < newest);
					expect(uploads.map(({ id }) => id)).toEqual(
						expect.arrayContaining(older.map(([id]) => id)),
					);
				},
			),
		);
	});

	it('continues where time ran out, until everything is read', async () => {
		await fc.assert(
			fc.asyncProperty(anyList, fc.boolean(), async ({ list, lower }, isBacklog) => {
				const isTimeUp = () => true;
				const read = new Set<string>();
				let place: Place | undefined;
				let order: Reading['order'];
				for (let polls = 0; ; polls++) {
					expect(polls).toBeLessThan(120);
					const request = { ...all, lower, isBacklog, isTimeUp, order };
					const reading = await scan(list, place ? { ...request, place } : request);
					for (const id of idsOf(reading)) read.add(id);
					if (reading.isWhole) break;
					expect(reading.place).toBeDefined();
					place = reading.place && { ...reading.place, mark: null, newest: null };
					order = reading.order;
				}
				expect([...read]).toEqual(expect.arrayContaining(idsFrom(list, lower)));
			}),
		);
	});

	it('takes one page if it reaches back far enough, once the order is proven', async () => {
		const list = listOf(everyMinute(500), { order: 'honoured', statesPages: true, pageSize: 50 });
		const lower = NOW - 30 * 60_000;
		const first = await scan(list, { ...all, lower });
		expect(first.order).toBe('dateAndId');
		list.asked.length = 0;
		const reading = await scan(list, { ...all, lower, order: 'dateAndId' });
		expect(list.asked).toHaveLength(1);
		expect(list.asked[0]?.from).toBe(filterFrom(lower));
		expect(reading.isWhole).toBe(true);
	});

	it('does not rely on a page that only looks ordered', async () => {
		const given = everyMinute(40);
		const list = listOf([...given, 0], { order: 'ignored', statesPages: true, pageSize: 10 });
		const reading = await scan(list, { ...all, lower: NOW - 5 * 60_000 });
		expect(reading.order).toBeUndefined();
		expect(reading.uploads).toHaveLength(41);
	});

	it('finds the first page that matters with few requests', async () => {
		const given = everyMinute(3000);
		const list = listOf(given, { order: 'honoured', statesPages: true, pageSize: 10 });
		const lower = NOW - 60 * 60_000;
		const request = { ...all, lower, isBacklog: true, order: 'date' as const };
		const { uploads } = await scan(list, request);
		expect(uploads.length).toBeLessThanOrEqual(80);
		expect(list.asked.length).toBeLessThan(35);
	});

	it('trusts the filter only to leave out uploads two days older', () => {
		expect(filterFrom(NOW)).toBe(NOW - 51 * HOUR);
		expect(filterFrom(0)).toBe(0);
	});

	it('reads without an order if it is suddenly rejected', async () => {
		const given = everyMinute(50);
		const list = listOf(given, { order: 'refused', statesPages: true, pageSize: 10 });
		const place = {
			...{ page: 2, size: 10, from: filterFrom(NOW), mark: null, newest: null },
			order: { by: 'date' as const, isDescending: false },
		};
		const reading = await scan(list, { ...all, lower: NOW, order: 'date', isBacklog: true, place });
		expect(reading.isRestarted).toBe(true);
		expect(reading.uploads).toHaveLength(50);
	});
});

it('uses what was read when the next page does not arrive in time', async () => {
	const given = everyMinute(50);
	const list = listOf(given, { order: 'honoured', statesPages: false, pageSize: 10 });
	const ask = list.fetchPage.bind(list);
	let isLate = false;
	list.fetchPage = async (query) => {
		isLate = query.page === 2;
		if (isLate) throw new Error('The service did not respond in time');
		return await ask(query);
	};
	const lower = NOW - 9000 * 60_000;
	const request = { ...all, lower, isBacklog: true, order: 'date' as const };
	await expect(scan(list, request)).rejects.toThrow('in time');
	isLate = false;
	const isTimeUp = () => isLate;
	const { uploads, place } = await scan(list, { ...request, isTimeUp });
	expect(uploads).toHaveLength(20);
	expect(place?.page).toBe(2);
});

it.each(['honoured', 'ignored'] as const)(
	'makes progress from poll to poll even with two pages per poll (order %s)',
	async (order) => {
		const given = everyMinute(100);
		const list = listOf(given, { order, statesPages: false, pageSize: 10 });
		const ask = list.fetchPage.bind(list);
		let pages = 0;
		list.fetchPage = async (query) => {
			pages += 1;
			if (pages > 2) throw new Error('The service did not respond in time');
			return await ask(query);
		};
		const found = new Set<string>();
		let request: ScanRequest = { ...all, lower: 0, isTimeUp: () => pages >= 2 };
		for (let polls = 0; polls < 10; polls++) {
			pages = 0;
			const reading = await scan(list, request);
			for (const { id } of reading.uploads) found.add(id);
			if (order === 'honoured') expect(reading.isOldestFirst).toBe(true);
			const place = reading.place && { ...reading.place, mark: null, newest: null };
			request = { ...request, order: reading.order, place, isBacklog: true };
		}
		expect(found.size).toBe(100);
	},
);

it('has no proof of an order if time ran out', async () => {
	const given = everyMinute(30);
	const list = listOf(given, { order: 'honoured', statesPages: false, pageSize: 10 });
	const ask = list.fetchPage.bind(list);
	list.fetchPage = async (query) => {
		if (list.asked.length > 0) throw new Error('The service did not respond in time');
		return await ask(query);
	};
	let isLate = false;
	list.after = () => (isLate = true);
	const isTimeUp = () => isLate;
	const reading = await scan(list, { ...all, lower: 0, isTimeUp });
	expect(reading).toMatchObject({ isWhole: false, place: { page: 1 } });
	expect(reading.order).toBeUndefined();
});

describe('scanNewest', () => {
	it('scans no more than the maximum', async () => {
		const given = everyMinute(200);
		for (const order of ['honoured', 'ignored', 'refused'] as const) {
			const list = listOf(given, { order, statesPages: true, pageSize: 10 });
			const request = {
				lower: () => -Infinity,
				filterLower: 0,
				maxRecords: 60,
				isTimeUp: () => false,
			};
			const { uploads } = await scanNewest(list, request);
			expect(uploads).toHaveLength(60);
		}
	});
});
