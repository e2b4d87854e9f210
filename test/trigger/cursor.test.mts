import fc from 'fast-check';
import { advance, baseline, type Wanted } from '../../nodes/EngagementUploads/trigger/cursor.ts';
import { windowStart, type Reading } from '../../nodes/EngagementUploads/trigger/progress.ts';
import { withFilter, type CursorState } from '../../nodes/EngagementUploads/trigger/state.ts';
import type { SeenUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';
import { freshState, NOW, wholeReading } from './pollSetup.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const at = (id: string, minutes: number): SeenUpload => ({
	id,
	time: NOW + minutes * MINUTE,
	isInstant: true,
	record: { uploadId: id },
});
const reading = (uploads: SeenUpload[], given: Partial<Reading> = {}) =>
	wholeReading(uploads, { isRestarted: true, serviceTime: NOW + HOUR, ...given });
const wanted: Wanted = {
	lookback: 2 * HOUR,
	maxUploads: 1000,
	isAfterStart: () => true,
	matches: () => true,
	wasExcluded: () => false,
};
const fresh = freshState('uploadCompleted');
const idsOf = ({ emit }: ReturnType<typeof advance>) => emit.map(({ upload }) => upload.id);

it('emits what is new, oldest first, and each once', () => {
	const first = advance(fresh, reading([at('b', 2), at('a', 1), at('c', 2)]), wanted);
	expect(idsOf(first)).toEqual(['a', 'b', 'c']);
	expect(idsOf(advance(first.next, reading([at('a', 1), at('d', 2)]), wanted))).toEqual(['d']);
});

it('emits nothing listed at the first poll, and everything from then on', () => {
	const state = baseline(fresh, reading([at('a', 1), at('b', -500)]), wanted.lookback);
	expect(state.mark).toBe(NOW + MINUTE);
	expect(Object.keys(state.seen)).toEqual(['a']);
	const next = advance(state, reading([at('a', 1), at('c', -100), at('d', -200)]), wanted);
	expect(idsOf(next)).toEqual(['c']);
});

it('skips what the first poll had no time to read', () => {
	const partial = reading([at('b', 3), at('a', 2)], { isWhole: false, order: 'date' });
	const state = baseline(fresh, partial, wanted.lookback);
	expect(idsOf(advance(state, reading([at('x', 1), at('y', 2)]), wanted))).toEqual(['y']);
});

it('begins each window before the watermark of the pass before', () => {
	const first = advance(fresh, reading([at('a', 0)]), wanted).next;
	const second = advance(
		first,
		reading([at('a', 0), at('b', 600)], { serviceTime: NOW + 11 * HOUR }),
		wanted,
	);
	expect(windowStart(second.next, 2 * HOUR)).toBe(NOW - 3 * HOUR);
	// An upload slipped to another page: it is older than the new watermark, and found in the next pass.
	expect(idsOf(advance(second.next, reading([at('c', 60)]), wanted))).toEqual(['c']);
});

it('does not move the watermark to an impossible date', () => {
	const { next, emit } = advance(fresh, reading([at('a', 0), at('b', 2000)]), wanted);
	expect(emit).toHaveLength(2);
	expect(next.mark).toBe(NOW);
	expect(Object.keys(next.seen)).toEqual(['a', 'b']);
});

it('moves the watermark after reading a list without an order completely, not in part', () => {
	const place = { page: 1, size: 10, from: 0 };
	const part = { isWhole: false, place };
	const first = advance(fresh, reading([at('b', 50)], part), wanted);
	expect(idsOf(first)).toEqual(['b']);
	expect(first.next).toMatchObject({ mark: null, place: { page: 1, newest: NOW + 50 * MINUTE } });
	const rest = reading([at('a', 5)], { isRestarted: false });
	const second = advance(first.next, rest, wanted);
	expect(idsOf(second)).toEqual(['a']);
	expect(second.next).toMatchObject({ mark: NOW + 50 * MINUTE, place: undefined });
});

it('drops a saved position once the watermark has moved on', () => {
	const state = advance(fresh, reading([at('a', 0)]), wanted).next;
	const place = { page: 1, size: 10, from: 0 };
	const oldestFirst = { isWhole: false, isOldestFirst: true, place };
	expect(advance(state, reading([at('a', 0)], oldestFirst), wanted).next.place).toMatchObject(
		place,
	);
	const moved = advance(state, reading([at('b', 1)], oldestFirst), wanted).next;
	expect(moved).toMatchObject({ place: undefined, mark: NOW + MINUTE, isBacklog: true });
});

it('emits a filtered-out upload once it matches, but not under another filter', () => {
	const none = { ...wanted, matches: () => false };
	const { next } = advance(fresh, reading([at('a', 0)]), none);
	expect(idsOf(advance(next, reading([at('a', 0)]), wanted))).toEqual(['a']);
	const other = withFilter(next, [['uploadType', ['full']]]);
	expect(idsOf(advance(other, reading([at('a', 0)]), wanted))).toEqual([]);
	const former = { ...wanted, wasExcluded: ({ id }: SeenUpload) => id === 'b' };
	const after = advance(other, reading([at('b', 0), at('c', 0)]), former);
	expect(idsOf(after)).toEqual(['c']);
	expect(idsOf(advance(after.next, reading([at('b', 0)]), wanted))).toEqual([]);
});

const uploads = fc
	.array(fc.integer({ min: -600, max: 600 }), { maxLength: 40, size: 'max' })
	.map((minutes) => minutes.map((minute, index) => at(`u${index}`, minute)));

it('emits a complete backlog in order, whatever a poll may emit', () => {
	fc.assert(
		fc.property(
			uploads,
			fc.integer({ min: 1, max: 7 }),
			fc.integer({ min: 0, max: 300 }),
			(given, maxUploads, minutes) => {
				const serviceTime = NOW + 11 * HOUR;
				const emitted: SeenUpload[] = [];
				let state: CursorState = fresh;
				for (let polls = 0; polls <= given.length; polls++) {
					const how = { ...wanted, maxUploads, lookback: minutes * MINUTE };
					const { emit, next } = advance(state, reading(given, { serviceTime }), how);
					expect(emit.length).toBeLessThanOrEqual(maxUploads);
					emitted.push(...emit.map(({ upload }) => upload));
					state = next;
				}
				expect(emitted.map(({ id }) => id).toSorted()).toEqual(
					given.map(({ id }) => id).toSorted(),
				);
				const times = emitted.map(({ time }) => time);
				expect(times).toEqual(times.toSorted((a, b) => a - b));
			},
		),
	);
});

it('emits each of the uploads that are listed late within the look-back once', () => {
	fc.assert(
		fc.property(
			uploads,
			fc.array(fc.nat(120), { minLength: 40, maxLength: 40 }),
			(given, lateness) => {
				const emitted: string[] = [];
				let state: CursorState = baseline(
					fresh,
					reading([], { serviceTime: NOW - 10 * HOUR }),
					wanted.lookback,
				);
				for (let minute = -600; minute <= 800; minute += 10) {
					const listed = given.filter(
						({ time }, index) => time + (lateness[index] ?? 0) * MINUTE <= NOW + minute * MINUTE,
					);
					const step = advance(
						state,
						reading(listed, { serviceTime: NOW + minute * MINUTE }),
						wanted,
					);
					emitted.push(...idsOf(step));
					state = step.next;
					const start = windowStart(state, wanted.lookback) ?? -Infinity;
					for (const time of Object.values(state.seen)) expect(time).toBeGreaterThanOrEqual(start);
				}
				expect(emitted.toSorted()).toEqual(given.map(({ id }) => id).toSorted());
			},
		),
	);
});
