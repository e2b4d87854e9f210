/**
 * Which pages are requested, in order: `-` newest first, `+` oldest first, `=` without an order.
 */
import type { Reading } from '../../nodes/EngagementUploads/trigger/progress.ts';
import {
	scan,
	scanNewest,
	type NewestRequest,
	type ScanRequest,
} from '../../nodes/EngagementUploads/trigger/scan.ts';
import type { SeenUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';
import { all, listOf, NOW, type Behaviour, type TestList } from './uploadList.mts';

const MINUTE = 60_000;
const minutesAgo = (minutes: number) => NOW - minutes * MINUTE;
const honoured: Behaviour = { order: 'honoured', statesPages: false, pageSize: 10 };

/** Uploads that are a minute apart, the newest just now. */
const listWith = (uploads: number, given: Partial<Behaviour> = {}) =>
	listOf(
		Array.from({ length: uploads }, (_, index) => index * MINUTE),
		{ ...honoured, ...given },
	);
const pagesOf = ({ asked }: TestList) =>
	asked
		.map(({ page, order }) => `${order ? (order.isDescending ? '-' : '+') : '='}${page}`)
		.join(' ');

interface Case {
	uploads?: number;
	service?: Partial<Behaviour>;
	request: Partial<ScanRequest>;
	pages: string;
	reading?: Partial<Reading>;
}
const saved = { page: 3, size: 10, from: 0, mark: null, newest: null };
const ascending = { by: 'date' as const, isDescending: false };
const atLeast = (number: number) => (found: SeenUpload[]) => found.length >= number;
const order = 'date' as const;
const backlog = { isBacklog: true, lower: minutesAgo(55), expected: 10, isEnough: atLeast(25) };

describe('scan', () => {
	it.each<[string, Case]>([
		['one page if that is enough', { request: { order, lower: minutesAgo(5) }, pages: '-0' }],
		['the next page if it is not', { request: { order, lower: minutesAgo(15) }, pages: '-0 -1' }],
		[
			'both ends, to prove an order',
			{ request: { lower: minutesAgo(5) }, pages: '-0 +0', reading: { order: 'dateAndId' } },
		],
		[
			'one page if there is only one',
			{ uploads: 5, request: {}, pages: '-0', reading: { order: undefined } },
		],
		[
			'all if no order is honoured',
			{
				service: { order: 'ignored' },
				request: { lower: minutesAgo(5) },
				pages: '-0 +0 -0 +0 -1 -2 -3 -4',
				reading: { isWhole: true, isOldestFirst: false },
			},
		],
		[
			'all without an order if it is rejected',
			{
				service: { order: 'refused' },
				request: { lower: minutesAgo(5) },
				pages: '-0 -0 =0 =1 =2 =3 =4',
			},
		],
		[
			'as many as are expected',
			{
				uploads: 100,
				request: { order, lower: minutesAgo(24), expected: 15, isEnough: atLeast(10) },
				pages: '-0 -1 -2',
				reading: { isWhole: true },
			},
		],
		[
			'the oldest if there are more than that, until there are enough',
			{
				uploads: 100,
				request: { order, lower: minutesAgo(95), expected: 15, isEnough: atLeast(20) },
				pages: '-0 -1 -2 +1 +0 +1',
				reading: { isWhole: false, isOldestFirst: true, order },
			},
		],
		[
			'the first page that matters of a backlog by bisection',
			{ uploads: 100, request: { ...backlog, order }, pages: '+1 +3 +7 +5 +4 +4 +5 +6' },
		],
		[
			'the same for a backlog whose order must be proven first',
			{ uploads: 100, request: backlog, pages: '-0 +0 +1 +3 +7 +5 +4 +4 +5 +6' },
		],
		[
			'a whole backlog from its beginning, more pages each time',
			{
				uploads: 200,
				service: { statesPages: true },
				request: { ...backlog, order, lower: 0, isEnough: atLeast(75) },
				pages: '+0 +1 +2 +3 +4 +5 +6 +7 +8 +9 +10',
				reading: { isWhole: false, isOldestFirst: true },
			},
		],
		[
			'the rest from a saved place',
			{
				request: { order, place: { ...saved, order: ascending } },
				pages: '+3 +4',
				reading: { isWhole: true, isOldestFirst: true },
			},
		],
		[
			'the rest from a saved place, without an order',
			{ request: { place: saved }, pages: '=3 =4', reading: { isOldestFirst: false } },
		],
		[
			'from the start if the place has another date',
			{
				request: { order, place: saved, lower: minutesAgo(5) },
				pages: '-0',
				reading: { isRestarted: true },
			},
		],
		[
			'from the start if the place has another page size',
			{ request: { order, place: { ...saved, size: 20 } }, pages: '-0 -1 -2 -3 -4' },
		],
	])('requests %s', async (_what, { uploads = 50, service, request, pages, reading = {} }) => {
		const list = listWith(uploads, service);
		const result = await scan(list, { ...all, lower: 0, ...request });
		expect(pagesOf(list)).toBe(pages);
		expect(result).toMatchObject(reading);
		if (result.isWhole) expect(result).not.toHaveProperty('place');
	});
});

describe('scanNewest', () => {
	const upTo20 = {
		isEnough: (found: SeenUpload[], isOrdered: boolean) => isOrdered && found.length >= 20,
	};
	const everything = '-0 +0 -0 +0 -1 -2 -3 -4 -5 -6 -7 -8 -9';

	it.each<[string, Partial<NewestRequest>, Partial<Behaviour>, string, Partial<Reading>]>([
		[
			'back to a date, with proof of the order',
			{ lower: () => minutesAgo(15) },
			{},
			'-0 +0 -1',
			{ isWhole: true, order: 'dateAndId' },
		],
		[
			'back to a date, in a known order',
			{ lower: () => minutesAgo(15), order },
			{},
			'-0 -1',
			{ isWhole: true, order },
		],
		[
			'all if no order is honoured',
			{ lower: () => minutesAgo(15) },
			{ order: 'ignored' as const },
			everything,
			{ isWhole: true, order: undefined },
		],
		[
			'until there are enough uploads',
			{ ...upTo20, order },
			{},
			'-0 -1',
			{ isWhole: false, order },
		],
		['all if that requires an order', upTo20, { order: 'ignored' }, everything, { isWhole: true }],
		[
			'no more than the maximum number of records',
			{ order, maxRecords: 30 },
			{ statesPages: true },
			'-0 -1 -2',
			{ isWhole: false },
		],
	])('requests %s', async (_what, request, service, pages, reading) => {
		const list = listWith(100, service);
		const result = await scanNewest(list, {
			...{ filterLower: 0, isTimeUp: () => false, lower: () => 0 },
			...request,
		});
		expect(pagesOf(list)).toBe(pages);
		expect(result).toMatchObject(reading);
	});

	it('requests twice as many pages each time, since their total is unknown', async () => {
		const list = listWith(100, { statesPages: true });
		const atOnce: number[] = [];
		const fetchPage = list.fetchPage.bind(list);
		list.fetchPage = async (query) => {
			atOnce[query.page] = list.asked.length;
			await new Promise(setImmediate);
			return await fetchPage(query);
		};
		await scanNewest(list, { filterLower: 0, isTimeUp: () => false, lower: () => 0, order });
		expect(atOnce).toEqual([0, 1, 2, 2, 4, 4, 4, 4, 8, 8]);
	});
});
