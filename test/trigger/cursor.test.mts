import fc from 'fast-check';
import {
	advance,
	asData,
	baseline,
	initialState,
	savedState,
	windowStart,
	withFilter,
	type CursorState,
	type Reading,
	type Wanted,
} from '../../nodes/EngagementUploads/trigger/cursor.ts';
import type { CompletedUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';

const HOUR = 3_600_000;
const LOOKBACK = 2 * HOUR;
const START = Date.UTC(2026, 5, 15, 10);

function upload(id: string, time: number, status = 'COMPLETED'): CompletedUpload {
	return { id, time, isInstant: false, record: { uploadId: id, uploadStatus: status } };
}

function reading(uploads: CompletedUpload[], given: Partial<Reading> = {}): Reading {
	const standard = { completeTo: Infinity, filterShift: 0, gone: [], latestCredible: Infinity };
	return { uploads, ...standard, ...given };
}

function wanted(given: Partial<Wanted> = {}): Wanted {
	const all = () => true;
	return { lookback: LOOKBACK, maxUploads: 1000, isAfterStart: all, matches: all, ...given };
}

const fresh = initialState('source', 'filter');
const ids = (uploads: CompletedUpload[]) => uploads.map(({ id }) => id);
const isCompleted = ({ record }: CompletedUpload) => record.uploadStatus === 'COMPLETED';

describe('advance', () => {
	it('emits the oldest first, and equal times in the order of their ids', () => {
		const { emit } = advance(
			fresh,
			reading([upload('c', START), upload('b', START + 1), upload('a', START)]),
			wanted(),
		);
		expect(ids(emit)).toEqual(['a', 'c', 'b']);
	});

	it('emits nothing twice, and what is late within the window', () => {
		const first = advance(fresh, reading([upload('a', START)]), wanted());
		const late = upload('b', START - 3 * HOUR);
		const tooLate = upload('c', START - 3 * HOUR - 1);
		const next = advance(first.next, reading([upload('a', START), late, tooLate]), wanted());
		expect(ids(next.emit)).toEqual(['b']);
	});

	it('cuts at the most, and goes on behind the last', () => {
		const uploads = ['a', 'b', 'c', 'd', 'e'].map((id) => upload(id, START));
		const first = advance(fresh, reading(uploads), wanted({ maxUploads: 2 }));
		const second = advance(first.next, reading(uploads), wanted({ maxUploads: 2 }));
		const third = advance(second.next, reading(uploads), wanted({ maxUploads: 2 }));
		expect([first, second, third].map(({ emit }) => ids(emit))).toEqual([
			['a', 'b'],
			['c', 'd'],
			['e'],
		]);
	});

	it('leaves what lies beyond the completely read for the next time', () => {
		const uploads = [upload('a', START), upload('b', START + 5)];
		const { emit, next } = advance(fresh, reading(uploads, { completeTo: START + 4 }), wanted());
		expect(ids(emit)).toEqual(['a']);
		expect(ids(advance(next, reading(uploads), wanted()).emit)).toEqual(['b']);
	});

	it('is not moved on by a date that is not credible, now or later', () => {
		const far = upload('far', START + 50 * HOUR);
		const first = advance(fresh, reading([far], { latestCredible: START }), wanted());
		expect(ids(first.emit)).toEqual(['far']);
		expect(first.next.mark).toBeNull();
		const later = advance(first.next, reading([far], { latestCredible: Infinity }), wanted());
		expect(later.emit).toEqual([]);
		expect(later.next.mark).toBeNull();
		expect(Object.keys(later.next.noted)).toEqual(['far']);
	});

	it('takes up what was turned down when it matches later, but not under another filter', () => {
		const failed = reading([upload('a', START, 'FAILED')]);
		const { emit, next } = advance(fresh, failed, wanted({ matches: isCompleted }));
		expect(emit).toEqual([]);
		const changed = reading([upload('a', START)]);
		expect(ids(advance(next, changed, wanted({ matches: isCompleted })).emit)).toEqual(['a']);
		expect(advance(withFilter(next, 'other'), failed, wanted()).emit).toEqual([]);
		expect(withFilter(next, 'filter')).toBe(next);
	});

	it('keeps an upload whose date moves within the window', () => {
		let { next } = advance(fresh, reading([upload('a', START)]), wanted());
		for (let hours = 2; hours < 10; hours += 2) {
			const moved = advance(next, reading([upload('a', START + hours * HOUR)]), wanted());
			expect(moved.emit).toEqual([]);
			next = moved.next;
		}
	});

	it('reaches a date that has moved beyond a cut once all before it is emitted', () => {
		const first = advance(fresh, reading([upload('a', START)]), wanted());
		const moved = [upload('a', START + 5 * HOUR), upload('b', START + 1), upload('c', START + 2)];
		const cut = advance(first.next, reading(moved), wanted({ maxUploads: 1 }));
		expect(cut.next.mark).toBe(START + 1);
		const rest = advance(cut.next, reading(moved), wanted());
		expect(ids(rest.emit)).toEqual(['c']);
		expect(rest.next.mark).toBe(START + 5 * HOUR);
		expect(Object.keys(rest.next.noted)).toEqual(['a']);
	});

	it('marks what is gone, until it is listed again', () => {
		const { next } = advance(fresh, reading([upload('a', START)]), wanted());
		const without = advance(next, reading([], { gone: ['a'] }), wanted()).next;
		expect(without.noted.a).toEqual({ time: START, gone: true });
		const again = advance(without, reading([upload('a', START)]), wanted());
		expect(again.emit).toEqual([]);
		expect(again.next.noted.a).toEqual({ time: START });
	});
});

describe('baseline', () => {
	it('takes in everything without emitting it', () => {
		const listed = reading([upload('a', START), upload('b', START - HOUR)]);
		const state = baseline(fresh, listed, LOOKBACK);
		expect(state.mark).toBe(START);
		expect(advance(state, listed, wanted()).emit).toEqual([]);
		const late = reading([...listed.uploads, upload('c', START - HOUR)]);
		expect(ids(advance(state, late, wanted()).emit)).toEqual(['c']);
	});

	it('is not misled by a date far in the future', () => {
		const uploads = [upload('far', START + 99 * HOUR), upload('a', START)];
		const state = baseline(fresh, reading(uploads, { latestCredible: START + HOUR }), LOOKBACK);
		expect(state.mark).toBe(START);
		expect(Object.keys(state.noted).toSorted()).toEqual(['a', 'far']);
	});
});

describe('the state', () => {
	it('survives being saved, and is none of another version', () => {
		const { next } = advance(fresh, reading([upload('__proto__', START)]), wanted());
		expect(savedState(asData(next))).toEqual(next);
		expect(savedState({ ...next, version: 2 })).toBeUndefined();
		expect(savedState(undefined)).toBeUndefined();
		expect(savedState({})).toBeUndefined();
	});

	it('has no window before there was an upload', () => {
		expect(windowStart(fresh, LOOKBACK)).toBeUndefined();
		expect(windowStart({ mark: START, since: null }, LOOKBACK)).toBe(START - 3 * HOUR);
	});
});

describe('for any uploads', () => {
	const time = fc.integer({ min: 0, max: 20 * HOUR }).map((offset) => START + offset);
	const status = fc.constantFrom('COMPLETED', 'FAILED');
	const uploads = fc
		.uniqueArray(fc.tuple(fc.uuid(), time, status), { selector: ([id]) => id, maxLength: 30 })
		.map((list) => list.map(([id, at, ended]) => upload(id, at, ended)));
	const most = fc.integer({ min: 1, max: 7 });

	function drained(listed: CompletedUpload[], want: Wanted): CompletedUpload[][] {
		const polls: CompletedUpload[][] = [];
		for (let state: CursorState = fresh; ; ) {
			const { emit, next } = advance(state, reading(listed), want);
			expect(next.mark ?? -Infinity).toBeGreaterThanOrEqual(state.mark ?? -Infinity);
			state = savedState(asData(next)) ?? fresh;
			if (emit.length === 0) return polls;
			polls.push(emit);
		}
	}

	it('a back-log comes whole, once, the oldest first, in slices', () => {
		fc.assert(
			fc.property(uploads, most, (listed, maxUploads) => {
				const polls = drained(listed, wanted({ maxUploads, matches: isCompleted }));
				expect(polls.every(({ length }) => length <= maxUploads)).toBe(true);
				const emitted = polls.flat();
				expect(ids(emitted).toSorted()).toEqual(ids(listed.filter(isCompleted)).toSorted());
				const times = emitted.map((each) => each.time);
				expect(times).toEqual(times.toSorted((a, b) => a - b));
			}),
		);
	});

	it('the state holds the window and nothing more', () => {
		fc.assert(
			fc.property(uploads, (listed) => {
				const { next } = advance(fresh, reading(listed), wanted());
				const start = windowStart(next, LOOKBACK) ?? Infinity;
				const within = listed.filter((each) => each.time >= start);
				expect(Object.keys(next.noted).toSorted()).toEqual(ids(within).toSorted());
				const size = JSON.stringify(next).length;
				expect(size).toBeLessThan(Math.max(1000, 200 * within.length));
			}),
		);
	});
});
