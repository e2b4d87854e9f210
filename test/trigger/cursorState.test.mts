import { advance, type Wanted } from '../../nodes/EngagementUploads/trigger/cursor.ts';
import type { CursorState } from '../../nodes/EngagementUploads/trigger/state.ts';
import type { SeenUpload } from '../../nodes/EngagementUploads/trigger/upload.ts';
import { freshState, wholeReading } from './pollSetup.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const fresh = freshState('uploadCompleted');

/** Uploads by ID, dated in minutes. */
const listed = (times: Record<string, number>): SeenUpload[] =>
	Object.entries(times).map(([id, minutes]) => ({
		...{ id, time: minutes * MINUTE, isInstant: true, record: { uploadId: id } },
	}));

/** A poll; uploads whose ID begins with `x` do not match the filter. */
function poll(
	state: CursorState,
	times: Record<string, number>,
	given: Partial<Wanted> = {},
	serviceTime = 10 * HOUR,
) {
	const reading = wholeReading(listed(times), { serviceTime });
	const { emit, next } = advance(state, reading, {
		...{ lookback: 2 * HOUR, maxUploads: 1000, isAfterStart: () => true },
		...{ matches: ({ id }) => !id.startsWith('x'), wasExcluded: () => false },
		...given,
	});
	const inMinutes = (dates: Record<string, number>) =>
		Object.fromEntries(Object.entries(dates).map(([id, time]) => [id, time / MINUTE]));
	return {
		...{ emitted: emit.map(({ upload }) => upload.id), isBacklog: next.isBacklog, next },
		mark: next.mark === null ? null : next.mark / MINUTE,
		seen: inMinutes(next.seen),
		filteredOut: inMinutes(next.filteredOut),
	};
}

describe('in a backlog', () => {
	const times = { a: 1, b: 2, c: 3, d: 3, e: 4, x1: 1, x3: 3, x5: 5 };

	it('only uploads up to the last one emitted are remembered', () => {
		expect(poll(fresh, times, { maxUploads: 3 })).toEqual(
			expect.objectContaining({
				...{ emitted: ['a', 'b', 'c'], seen: { a: 1, b: 2, c: 3 }, filteredOut: { x1: 1, x3: 3 } },
				...{ mark: 3, isBacklog: true },
			}),
		);
	});

	it('nothing is remembered if nothing may be emitted', () => {
		expect(poll(fresh, times, { maxUploads: 0 })).toEqual(
			expect.objectContaining({
				...{ emitted: [], seen: {}, filteredOut: {}, mark: null, isBacklog: true },
			}),
		);
	});

	it('a date that moves beyond the last upload emitted is remembered as the date of that one', () => {
		const { next } = poll(fresh, { a: 1 });
		expect(poll(next, { a: 9, b: 2, c: 3 }, { maxUploads: 1 })).toEqual(
			expect.objectContaining({
				...{ emitted: ['b'], seen: { a: 2, b: 2 }, mark: 2 },
			}),
		);
	});
});

it('without a backlog, everything is remembered', () => {
	expect(poll(fresh, { a: 1, x2: 2 })).toEqual(
		expect.objectContaining({
			...{ emitted: ['a'], seen: { a: 1 }, filteredOut: { x2: 2 }, mark: 2 },
			isBacklog: undefined,
		}),
	);
});

it.each([
	['later', 60],
	['earlier', 5],
])('an upload with a %s date than before is still the same', (_what, minutes) => {
	const { next } = poll(fresh, { a: 10 });
	expect(poll(next, { a: minutes })).toEqual(
		expect.objectContaining({
			...{ emitted: [], seen: { a: Math.max(10, minutes) } },
		}),
	);
});

it('a date in the future does not move the watermark once its time has come', () => {
	const { next, mark, emitted } = poll(fresh, { a: 1, b: 2000 });
	expect({ mark, emitted }).toEqual({ mark: 1, emitted: ['a', 'b'] });
	expect(poll(next, { b: 2000 }, {}, 40 * HOUR).mark).toBe(1);
});

it('an upload that was filtered out and is emitted later is remembered as emitted', () => {
	const { next } = poll(fresh, { x: 1 });
	expect(poll(next, { x: 1 }, { matches: () => true })).toEqual(
		expect.objectContaining({
			...{ emitted: ['x'], seen: { x: 1 }, filteredOut: {} },
		}),
	);
});

it('dates of a forgotten kind are not remembered', () => {
	const unmixed = { isInstant: true, since: 30 * MINUTE };
	const state: CursorState = { ...fresh, isMixed: true, unmixed };
	expect(poll(state, { a: 29, b: 30 })).toEqual(
		expect.objectContaining({
			...{ emitted: ['b'], seen: { b: 30 }, filteredOut: {} },
		}),
	);
});
