import fc from 'fast-check';
import { readFrom, readNewest } from '../../nodes/EngagementUploads/trigger/reader.ts';
import type { UploadList, UploadQuery } from '../../nodes/EngagementUploads/trigger/walk.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 5, 15, 10);

/** What a list does with what it is asked for; times in milliseconds. */
interface Manner {
	honoursFrom: boolean;
	honoursTo: boolean;
	order: 'honoured' | 'ignored' | 'refused';
	/** How far the filter is off. */
	shift: number;
	tellsLast: boolean;
}

const HONEST: Manner = {
	honoursFrom: true,
	honoursTo: true,
	order: 'honoured',
	shift: 0,
	tellsLast: true,
};

/** A list of uploads that completed at these times; their ids are the times' places. */
class List implements UploadList {
	isInstant = false;
	isOrderRefused = false;
	readonly asked: UploadQuery[] = [];

	constructor(
		private readonly times: number[],
		readonly pageSize: number,
		private readonly manner: Manner = HONEST,
	) {}

	async ask(query: UploadQuery) {
		this.asked.push(query);
		const { page, size } = query;
		const rows = this.rowsFor(query);
		const records = rows.slice(page * size, (page + 1) * size).map(({ time, place }) => ({
			uploadId: String(place),
			completionDate: new Date(time).toISOString().slice(0, 19),
		}));
		const last = (page + 1) * size >= rows.length;
		return { records, page: this.manner.tellsLast ? { last } : {} };
	}

	private rowsFor({ completedFrom = -Infinity, completedTo = Infinity, order }: UploadQuery) {
		const { honoursFrom, honoursTo, shift } = this.manner;
		if (order !== undefined && this.manner.order === 'refused') this.isOrderRefused = true;
		const rows = this.times
			.map((time, place) => ({ time, place }))
			.filter(({ time }) => !honoursFrom || time > completedFrom + shift)
			.filter(({ time }) => !honoursTo || time <= completedTo + shift);
		if (order === undefined || this.manner.order !== 'honoured') return rows;
		const sign = order === 'completionDate' ? 1 : -1;
		return rows.toSorted((a, b) => sign * (a.time - b.time));
	}
}

const request = {
	lower: START,
	filterShift: null,
	controls: new Map<string, number>(),
	isNews: () => true,
	isEnough: () => false,
	most: Infinity,
	latestCredible: () => START + 1000 * HOUR,
};
const minutes = (...given: number[]) => given.map((minute) => START + minute * 60_000);
const idsOf = ({ uploads }: { uploads: Array<{ id: string }> }) => uploads.map(({ id }) => id);

describe('readFrom', () => {
	it('reads one page where all is on it', async () => {
		const list = new List(minutes(-3000, 1, 2), 10);
		const found = await readFrom(list, request);
		expect(idsOf(found)).toEqual(['1', '2']);
		expect(found.completeTo).toBe(Infinity);
		expect(list.asked).toHaveLength(1);
	});

	it('draws the filter narrower once it has shown how far it is off', async () => {
		const everyMinute = Array.from({ length: 2000 }, (_, minute) => 10 - minute).reverse();
		const list = new List(minutes(...everyMinute), 100);
		const { filterShift } = await readFrom(list, request);
		expect(Math.abs(filterShift ?? Infinity)).toBeLessThanOrEqual(61_000);
		expect(list.asked).toHaveLength(2);
		const later = new List(minutes(...everyMinute), 100);
		await readFrom(later, { ...request, filterShift });
		expect(later.asked).toHaveLength(1);
	});

	it('stops where it is enough, if the order can be relied on', async () => {
		const list = new List(minutes(5, 4, 3, 2, 1), 2);
		const found = await readFrom(list, { ...request, isEnough: ({ length }) => length >= 2 });
		expect(idsOf(found)).toEqual(['4', '3']);
		expect(found.completeTo).toBe(minutes(2)[0]);
	});

	it('does not take for ordered what is so by chance', async () => {
		const list = new List(minutes(3, 4, 1, 2), 2, {
			...HONEST,
			order: 'ignored',
			honoursTo: false,
		});
		const found = await readFrom(list, { ...request, isEnough: ({ length }) => length >= 2 });
		expect(idsOf(found).toSorted()).toEqual(['0', '1', '2', '3']);
		expect(found.completeTo).toBe(Infinity);
	});

	it('nor in the other direction, where the filter is ignored', async () => {
		const manner: Manner = { ...HONEST, order: 'ignored', honoursFrom: false };
		const list = new List(minutes(4, -9000, 5, 1), 2, manner);
		const found = await readFrom(list, request);
		expect(idsOf(found).toSorted()).toEqual(['0', '1', '2', '3']);
	});

	it('reads from the newest back where the filter is ignored', async () => {
		const history = Array.from({ length: 100 }, (_, index) => -9000 + index);
		const list = new List(minutes(...history, 1, 2, 3), 5, { ...HONEST, honoursFrom: false });
		const found = await readFrom(list, request);
		expect(idsOf(found)).toEqual(expect.arrayContaining(['100', '101', '102']));
		expect(list.asked.length).toBeLessThan(5);
	});

	it('reads again, wider, when something known is missing', async () => {
		const list = new List(minutes(30, 50), 10, { ...HONEST, shift: HOUR });
		const controls = new Map([['0', START + 30 * 60_000]]);
		const found = await readFrom(list, { ...request, filterShift: 0, controls });
		expect(idsOf(found)).toEqual(['0', '1']);
		expect(found.gone).toEqual([]);
		expect(found.filterShift).toBeGreaterThan(HOUR);
	});

	it('tells what is really gone', async () => {
		const controls = new Map([['7', START]]);
		const found = await readFrom(new List(minutes(1), 10), { ...request, controls });
		expect(found.gone).toEqual(['7']);
	});
});

describe('readNewest', () => {
	it('reads the newest page, and tells whether it is all', async () => {
		const list = new List(minutes(1, 2, 3), 2);
		const { uploads, isAll } = await readNewest(list, () => true);
		expect(uploads.map(({ id }) => id)).toEqual(['2', '1']);
		expect(isAll).toBe(false);
		expect((await readNewest(new List([], 2), () => false)).isAll).toBe(true);
	});

	it('reads on where the newest seem to come first by chance, unless there is no time', async () => {
		const byChance = () => new List(minutes(3, 2, 9, 8), 2, { ...HONEST, order: 'ignored' });
		const isOver = jest.fn(() => false);
		expect((await readNewest(byChance(), () => true, isOver)).isAll).toBe(true);
		isOver.mockReturnValue(true);
		expect((await readNewest(byChance(), () => true, isOver)).isAll).toBe(false);
		const ordered = new List(minutes(3, 2, 9, 8), 2);
		expect(
			(
				await readNewest(
					ordered,
					() => true,
					() => false,
				)
			).isAll,
		).toBe(false);
	});
});

it('misses nothing up to where it says it is complete, whatever the service honours', async () => {
	const seconds = fc.integer({ min: -200_000, max: 200_000 });
	const manner = fc.record({
		honoursFrom: fc.boolean(),
		honoursTo: fc.boolean(),
		order: fc.constantFrom('honoured', 'ignored', 'refused'),
		shift: fc.integer({ min: -26, max: 26 }).map((hours) => hours * HOUR),
		tellsLast: fc.boolean(),
	}) satisfies fc.Arbitrary<Manner>;
	await fc.assert(
		fc.asyncProperty(
			fc.array(seconds, { maxLength: 40 }),
			fc.integer({ min: 2, max: 15 }),
			manner,
			fc.integer({ min: 1, max: 20 }),
			async (offsets, pageSize, how, enough) => {
				const times = offsets.map((offset) => START + offset * 1000);
				const list = new List(times, pageSize, how);
				const isEnough = ({ length }: unknown[]) => length >= enough;
				const found = await readFrom(list, { ...request, isEnough, most: enough });
				const due = times.flatMap((time, place) =>
					time >= START && time <= found.completeTo ? [String(place)] : [],
				);
				expect(idsOf(found)).toEqual(expect.arrayContaining(due));
				if (times.some((time) => time >= START))
					expect(found.completeTo).toBeGreaterThanOrEqual(START);
			},
		),
		{ numRuns: 1000 },
	);
});
