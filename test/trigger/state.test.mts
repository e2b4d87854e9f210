import {
	datedFrom,
	initialState,
	parseState,
	toData,
	toInstants,
	withFilter,
	type CursorState,
} from '../../nodes/EngagementUploads/trigger/state.ts';

const identity = { event: 'uploadCompleted', client: 'client', start: 'start' };
const fresh = initialState(identity, []);

it('begins with nothing known', () => {
	expect(initialState(identity, [])).toEqual({
		...{ version: 2, ...identity, filter: [], mark: null, previous: null, since: null },
		...{ isInstant: false, seen: {}, filteredOut: {}, followed: {} },
	});
});

it('is read as it was saved', () => {
	expect(parseState(toData(fresh))).toEqual(fresh);
});

it.each([undefined, null, [], {}, { version: 2 }, { ...fresh, version: 1 }, { ...fresh, seen: 1 }])(
	'is not %j',
	(value) => expect(parseState(value)).toBeUndefined(),
);

it('stays as it is if the filter does, even as another object', () => {
	const state: CursorState = {
		...fresh,
		filter: [['uploadType', ['full']]],
		filteredOut: { a: 1 },
	};
	expect(withFilter(state, [['uploadType', ['full']]])).toBe(state);
	expect(withFilter(state, [])).toEqual({ ...fresh, seen: { a: 1 } });
});

it('has all dates as instants once there are instants', () => {
	const state: CursorState = {
		...fresh,
		...{ mark: 3, seen: { a: 1 }, filteredOut: { b: 2 }, polledAt: 9 },
		followed: { c: { time: 4, status: 'LOADING' }, d: { time: 5, status: 'FAILED', end: 6 } },
	};
	expect(toData(toInstants(state, (time) => time * 10))).toMatchObject({
		...{ isInstant: true, mark: 30, seen: { a: 10 }, filteredOut: { b: 20 }, polledAt: 90 },
		followed: { c: { time: 40, status: 'LOADING' }, d: { time: 50, status: 'FAILED', end: 60 } },
	});
	expect(toData(toInstants(fresh, (time) => time * 10))).toEqual({ ...fresh, isInstant: true });
});

it('keeps what is dated from a time on, or all', () => {
	const times: Array<[string, number]> = [
		['a', -1],
		['b', 5],
		['c', 6],
	];
	expect(datedFrom(times, 5)).toEqual({ b: 5, c: 6 });
	expect(datedFrom(times, null)).toEqual({ a: -1, b: 5, c: 6 });
});
