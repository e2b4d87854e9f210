import {
	firstProgress,
	isCredible,
	isInWindow,
	nextProgress,
	windowStart,
	withInstants,
	withMixedDates,
	type Place,
	type Progress,
	type Reading,
} from '../../nodes/EngagementUploads/trigger/progress.ts';
import type { SeenUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';

const HOUR = 3_600_000;
const LOOKBACK = 2 * HOUR;
const at = (hours: number, isInstant = true): SeenUpload => ({
	...{ id: String(hours), time: hours * HOUR, isInstant, record: {} },
});
const reading = (given: Partial<Reading> = {}): Reading => ({
	...{ uploads: [], isWhole: true, isOldestFirst: false, serviceTime: 1000 * HOUR },
	...given,
});
const progress: Progress = {
	...{ mark: 100 * HOUR, previous: 90 * HOUR, since: 80 * HOUR, isInstant: true },
};
const stop = { page: 3, size: 10, from: 7 };
const saved: Place = { page: 2, size: 10, from: 7, mark: 95 * HOUR, newest: 104 * HOUR };
const open: Place = { ...saved, mark: 100 * HOUR };
const part = { isWhole: false, place: stop };
const oldestFirst = { ...part, isOldestFirst: true };

describe('the window', () => {
	it.each<[string, Partial<Progress>, number | undefined]>([
		['the look-back and an hour before the last pass', {}, 87 * HOUR],
		['no earlier than what is remembered', { since: 89 * HOUR }, 89 * HOUR],
		[
			'with everything that is listed, if nothing has been read',
			{ previous: null, since: null },
			undefined,
		],
		['with what is remembered, before the first pass', { previous: null }, 80 * HOUR],
		['26 hours earlier if dates are mixed', { isMixed: true, since: null }, 61 * HOUR],
	])('begins %s', (_what, given, start) => {
		expect(windowStart({ ...progress, ...given }, LOOKBACK)).toBe(start);
	});

	it('contains what is dated at its start or later', () => {
		expect(isInWindow(progress, at(87), LOOKBACK)).toBe(true);
		expect(isInWindow(progress, at(86.9), LOOKBACK)).toBe(false);
		expect(isInWindow({ ...progress, previous: null, since: null }, at(-5), LOOKBACK)).toBe(true);
	});

	it('contains only later dates of the kind that was forgotten when dates were mixed', () => {
		const mixed = { ...progress, unmixed: { isInstant: true, since: 95 * HOUR } };
		expect(isInWindow(mixed, at(94), LOOKBACK)).toBe(false);
		expect(isInWindow(mixed, at(95), LOOKBACK)).toBe(true);
		expect(isInWindow(mixed, at(94, false), LOOKBACK)).toBe(true);
	});
});

it('a date is credible up to an hour ahead of the service, or 26 hours if it is local', () => {
	expect(isCredible(at(101), 100 * HOUR)).toBe(true);
	expect(isCredible(at(101.1), 100 * HOUR)).toBe(false);
	expect(isCredible(at(126, false), 100 * HOUR)).toBe(true);
	expect(isCredible(at(126.1, false), 100 * HOUR)).toBe(false);
});

it('mixed dates extend the window, and the previous kind is forgotten up to a date', () => {
	expect(withMixedDates(progress, true)).toEqual({
		...progress,
		...{ isMixed: true, since: 54 * HOUR, unmixed: { isInstant: true, since: 80 * HOUR } },
	});
	const fresh = { ...progress, since: null };
	expect(withMixedDates(fresh, true)).toEqual({ ...fresh, isMixed: true });
});

describe('after a poll', () => {
	interface Case {
		state?: Partial<Progress>;
		read?: Partial<Reading>;
		reached?: SeenUpload[];
		cut?: number;
		next: Partial<Progress>;
	}
	const unmoved = { mark: 100 * HOUR, previous: 90 * HOUR };
	const moved = { mark: 101 * HOUR, previous: 100 * HOUR, place: undefined };
	const none = { mark: null, previous: null, since: null };

	it.each<[string, Case]>([
		[
			'a whole list ends the pass',
			{ next: { ...unmoved, previous: 100 * HOUR, since: 97 * HOUR } },
		],
		['new uploads move the watermark', { reached: [at(99), at(101)], next: moved }],
		['dates that are not credible do not', { reached: [at(1001.5)], next: { mark: 100 * HOUR } }],
		[
			'not beyond the last upload emitted',
			{ reached: [at(101), at(103)], cut: 101 * HOUR, next: { ...moved, isBacklog: true } },
		],
		[
			'part of a list without an order does not move it',
			{
				read: part,
				reached: [at(101)],
				next: {
					...unmoved,
					isBacklog: true,
					place: { ...stop, mark: 100 * HOUR, newest: 101 * HOUR },
				},
			},
		],
		['the oldest part does', { read: oldestFirst, reached: [at(101)], next: moved }],
		[
			'the oldest part without anything new does not',
			{
				read: oldestFirst,
				next: { ...unmoved, place: { ...stop, mark: 100 * HOUR, newest: null } },
			},
		],
		[
			'the rest of a list ends the pass, whose first watermark becomes the previous one',
			{
				state: { place: saved },
				reached: [at(101)],
				next: { mark: 104 * HOUR, previous: 95 * HOUR, place: undefined, isBacklog: undefined },
			},
		],
		[
			'a further part does not',
			{
				state: { place: open },
				read: part,
				next: { ...unmoved, place: { ...stop, mark: 100 * HOUR, newest: 104 * HOUR } },
			},
		],
		[
			'a list read from the start begins another pass',
			{ state: { place: saved }, read: { isRestarted: true }, next: { previous: 100 * HOUR } },
		],
		[
			'what was postponed is read again from the same place',
			{ state: { place: open }, read: part, cut: 102 * HOUR, next: { ...unmoved, place: open } },
		],
		[
			'without a new place, the old one is kept',
			{ state: { place: open }, read: { isWhole: false }, next: { ...unmoved, place: open } },
		],
		['an empty list leaves no watermark', { state: none, next: none }],
		[
			'the first part sets one',
			{
				state: none,
				read: oldestFirst,
				reached: [at(50)],
				next: { mark: 50 * HOUR, previous: null, since: null, place: undefined },
			},
		],
		['an order is remembered', { read: { order: 'date' }, next: { order: 'date' } }],
		['a known order is kept', { state: { order: 'dateAndId' }, next: { order: 'dateAndId' } }],
		[
			'dates of the forgotten kind stay forgotten',
			{
				state: { unmixed: { isInstant: true, since: 97.5 * HOUR } },
				next: { unmixed: { isInstant: true, since: 97.5 * HOUR } },
			},
		],
		[
			'but only up to their date',
			{ state: { unmixed: { isInstant: true, since: 97 * HOUR } }, next: { unmixed: undefined } },
		],
		[
			'even at the first poll',
			{
				state: { ...none, unmixed: { isInstant: true, since: 97 * HOUR } },
				next: { unmixed: { isInstant: true, since: 97 * HOUR } },
			},
		],
	])('%s', (_what, { state = {}, read = {}, reached = [], cut = Infinity, next }) => {
		const after = nextProgress({ ...progress, ...state }, reading(read), {
			...{ reached, cut, lookback: LOOKBACK },
		});
		expect(after).toMatchObject(next);
	});
});

describe('after a first poll', () => {
	const fresh: Progress = { mark: null, previous: null, since: null, isInstant: true };
	it.each<[string, Partial<Reading>, Partial<Progress>]>([
		[
			'that reads the whole list, the look-back applies',
			{ uploads: [at(9), at(5)] },
			{ since: 6 * HOUR },
		],
		[
			'that reads part of it, the rest is skipped',
			{ uploads: [at(9), at(8)], isWhole: false, order: 'date' },
			{ mark: 9 * HOUR, previous: 9 * HOUR, since: 8 * HOUR, order: 'date' },
		],
		['that reads nothing, nothing is skipped', { isWhole: false }, { mark: null, since: null }],
	])('%s', (_what, read, next) => {
		expect(firstProgress(fresh, reading(read), LOOKBACK)).toMatchObject(next);
	});

	it('a known order is kept', () => {
		const state = { ...fresh, order: 'date' as const };
		expect(firstProgress(state, reading(), LOOKBACK)).toMatchObject({ order: 'date' });
	});
});

it('dates become instants, except those that are missing or unreadable', () => {
	const unreadable = Number.MAX_SAFE_INTEGER;
	const local: Progress = { mark: unreadable, previous: 5, since: null, isInstant: false };
	expect(withInstants({ ...local, place: saved }, (time) => time + 1)).toEqual({
		...{ mark: unreadable, previous: 6, since: null, isInstant: true, place: undefined },
	});
});
