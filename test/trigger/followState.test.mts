import {
	advanceFollowing,
	dismissFailures,
	followBaseline,
	type Following,
} from '../../nodes/EngagementUploads/trigger/follow.ts';
import type { CursorState } from '../../nodes/EngagementUploads/trigger/state.ts';
import { changed, failed, followingWith, freshState, NOW, wholeReading } from './pollSetup.mts';

const HOUR = 3_600_000;
const fresh = freshState('uploadStatusChanged');

/** What is listed: created this many hours from now, with a status, and completed at some hour. */
type Listed = Record<string, [hours: number, status: string, completed?: number]>;

const readingOf = (listed: Listed) =>
	wholeReading(
		Object.entries(listed).map(([uploadId, [hours, uploadStatus, completed]]) => ({
			...{ id: uploadId, time: NOW + hours * HOUR, isInstant: true },
			record: {
				...{ uploadId, uploadStatus },
				completionDate: completed === undefined ? null : NOW + completed * HOUR,
			},
		})),
	);
/** Uploads whose ID begins with `x` do not match the filter. */
const followingExceptX = (given: Partial<Following>) =>
	followingWith({ matches: ({ id }) => !id.startsWith('x'), ...given });
const look = (listed: Listed, given: Partial<Following> = {}) =>
	followBaseline(fresh, readingOf(listed), followingExceptX(given));

function poll(
	state: CursorState,
	listed: Listed,
	given: Partial<Following> = {},
	gone: string[] = [],
) {
	const { emit, next } = advanceFollowing(state, readingOf(listed), followingExceptX(given), gone);
	const statuses = Object.entries(next.followed).map(([id, { status }]) => [id, status]);
	return {
		...{ next, emitted: emit.map(({ upload }) => upload.id) },
		followed: Object.fromEntries(statuses) as Record<string, string>,
	};
}

describe('the first poll', () => {
	it('follows existing uploads, and marks failures as handled', () => {
		const { followed, polledAt } = look(
			{ a: [-1, 'FAILED'], b: [-1, 'LOADING'], c: [-2, 'COMPLETED', -1] },
			{ rule: failed },
		);
		expect(polledAt).toBe(NOW);
		expect(followed).toEqual({
			a: { time: NOW - HOUR, status: 'FAILED', end: NOW, isHandled: true },
			b: { time: NOW - HOUR, status: 'LOADING' },
			c: { time: NOW - 2 * HOUR, status: 'COMPLETED', end: NOW - HOUR },
		});
	});

	it('remembers what ended long ago, but does not follow it', () => {
		const { followed, seen } = look({ a: [-1, 'LOADING'], b: [-2, 'COMPLETED', -2.1] });
		expect(Object.keys(followed)).toEqual(['a']);
		expect(Object.keys(seen)).toEqual(['b']);
	});
});

describe('in a backlog', () => {
	const state = look({ a: [-3, 'LOADING'], x: [-1, 'LOADING'] });
	const listed: Listed = {
		...{ c: [-2, 'LOADING'], b: [-2, 'LOADING'], a: [-3, 'DONE'] },
		...{ x: [-1, 'DONE'], x1: [-2.5, 'LOADING'], x2: [-1, 'LOADING'] },
	};

	it('only uploads before the last one emitted count as new, but all changes are seen', () => {
		const { emitted, followed, next } = poll(state, listed, { maxUploads: 2 });
		expect(emitted).toEqual(['a', 'b']);
		expect(followed).toEqual({ a: 'DONE', b: 'LOADING', x: 'DONE', x1: 'LOADING' });
		expect(next.isBacklog).toBe(true);
		expect(poll(next, listed).emitted).toEqual(['c']);
	});

	it('nothing counts as new if nothing may be emitted', () => {
		const { emitted, followed } = poll(state, listed, { maxUploads: 0 });
		expect(emitted).toEqual([]);
		expect(followed).toEqual({ a: 'LOADING', x: 'DONE' });
	});
});

it('without a backlog, all uploads are followed, and new ones move the watermark', () => {
	const listed: Listed = { a: [-3, 'LOADING'], b: [-2, 'LOADING'], x: [-1, 'LOADING'] };
	const { next, followed } = poll(look({ a: [-3, 'LOADING'] }), listed);
	expect(followed).toEqual({ a: 'LOADING', b: 'LOADING', x: 'LOADING' });
	expect(next).toMatchObject({ mark: NOW - HOUR, isBacklog: undefined });
	expect(next.seen).toEqual({});
});

it('a date in the future does not move the watermark once its time has come', () => {
	const { next } = poll(look({ a: [-1, 'LOADING'] }), { b: [5, 'LOADING'] });
	expect(next.mark).toBe(NOW - HOUR);
	const reading = { ...readingOf({ b: [5, 'DONE'] }), serviceTime: NOW + 6 * HOUR };
	expect(advanceFollowing(next, reading, followingExceptX({})).next.mark).toBe(NOW - HOUR);
});

it('an upload that is gone is remembered, so that it is not new if it comes back', () => {
	const listed: Listed = { a: [-1, 'LOADING'] };
	const { next } = poll(look(listed), {}, {}, ['a', 'unknown']);
	expect([next.followed, next.seen]).toEqual([{}, { a: NOW - HOUR }]);
	expect(poll(next, listed).emitted).toEqual([]);
});

it('an event without previous status occurs once per upload, whatever its statuses', () => {
	const paused: Following['rule'] = {
		isDue: (status, before) => status === 'PAUSED' && before?.isHandled !== true,
		hasPreviousStatus: false,
		isShown: () => true,
	};
	const first = poll(look({ a: [-1, 'LOADING'] }), { a: [-1, 'PAUSED'] }, { rule: paused });
	expect(first.emitted).toEqual(['a']);
	const second = poll(first.next, { a: [-1, 'PAUSED'] }, { rule: paused });
	expect(second.emitted).toEqual([]);
	expect(poll(second.next, { a: [-1, 'PAUSED'] }, { rule: paused }).emitted).toEqual([]);
});

describe('a failure that was not emitted', () => {
	const listed: Listed = { x: [-1, 'FAILED'] };
	const state = look({ x: [-1, 'LOADING'] });

	it('is emitted once it matches', () => {
		const { emitted, next } = poll(state, listed, { rule: failed });
		expect(emitted).toEqual([]);
		expect(next.followed.x).not.toHaveProperty('isHandled');
		expect(poll(next, listed, { rule: failed, matches: () => true }).emitted).toEqual(['x']);
	});

	it('is not emitted if an earlier filter excluded it', () => {
		const { emitted, next } = poll(state, listed, { rule: failed, wasExcluded: () => true });
		expect(emitted).toEqual([]);
		expect(poll(next, listed, { rule: failed, matches: () => true }).emitted).toEqual([]);
	});

	it('is not emitted after the filter has changed', () => {
		const { next } = poll(state, { ...listed, b: [-1, 'LOADING'] }, { rule: failed });
		const { followed } = dismissFailures(next, failed);
		expect(followed).toEqual({
			...next.followed,
			x: { time: NOW - HOUR, status: 'FAILED', end: NOW, isHandled: true },
		});
		expect(dismissFailures(next, failed)).toEqual({ ...next, followed });
	});
});

it.each([
	[changed, { previousStatus: 'LOADING' }],
	[failed, {}],
])('the previous status is added if the event has it', (rule, added) => {
	const reading = readingOf({ a: [-1, 'FAILED'] });
	const step = advanceFollowing(look({ a: [-1, 'LOADING'] }), reading, followingExceptX({ rule }));
	expect(step.emit).toEqual([{ upload: expect.objectContaining({ id: 'a' }) as object, ...added }]);
});

it.each([
	[changed, 'LOADING', true],
	[failed, 'LOADING', false],
	[failed, 'FAILED', true],
])('a test in the editor shows what the event is about', (rule, status, isShown) => {
	expect(rule.isShown(status)).toBe(isShown);
});
