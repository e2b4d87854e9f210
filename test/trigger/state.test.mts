import {
	fingerprint,
	initialState,
	inZone,
	knownOf,
	parseState,
	toData,
	withFilter,
	type CursorState,
} from '../../nodes/EngagementUploads/trigger/state.ts';

const UNREADABLE = Number.MAX_SAFE_INTEGER;
const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 5, 15, 12);

const first = initialState({ event: 'uploadFailed', client: 'c', start: 's' }, 'f');
const state: CursorState = {
	...first,
	...{ zone: 'UTC', watermark: NOON, since: NOON - HOUR, polledAt: NOON },
	known: {
		a: { time: NOON, last: 'FAILED', isFilteredOut: true },
		b: { time: UNREADABLE },
		c: { time: NOON, end: NOON - HOUR },
		d: { time: NOON, end: NOON + HOUR },
	},
};

it.each([first, state])('a saved state is read again', (each) => {
	expect(parseState(toData(each))).toEqual(each);
});

const others: unknown[] = [
	...[undefined, 'text', { ...state, version: 2 }, { ...state, filter: undefined }],
	...['event', 'client', 'start'].map((name) => ({ ...state, [name]: 1 })),
	...['watermark', 'previous', 'since'].map((name) => ({ ...state, [name]: '1' })),
	...[undefined, [], { a: 1 }, { a: { time: null } }].map((known) => ({ ...state, known })),
];

it.each(others.map((value) => ({ value })))('anything else is not a state: $value', ({ value }) => {
	expect(parseState(value)).toBeUndefined();
});

it('an upload is remembered by its own ID', () => {
	expect(knownOf(state, { id: 'a' })).toBe(state.known.a);
	expect(knownOf(state, { id: 'toString' })).toBeUndefined();
});

it('fingerprints are short, and differ if texts do', () => {
	expect(fingerprint('a')).toHaveLength(16);
	expect(fingerprint('a')).not.toBe(fingerprint('b'));
});

it('what the former filter left out is not emitted later', () => {
	const filter = 'another';
	expect(withFilter(state, 'f')).toBe(state);
	const { known, ...rest } = toData(withFilter(state, filter));
	expect(rest).toEqual({ ...toData({ ...state, known: undefined }), filter });
	expect(known).toEqual({ ...state.known, a: { time: NOON, last: 'FAILED' } });
});

it('in another zone, local times are other instants', () => {
	expect(inZone(state, 'UTC')).toBe(state);
	expect(inZone(first, 'Europe/London')).toBe(first);
	expect(inZone(state, 'Asia/Tokyo')).toEqual({
		...state,
		...{ zone: 'Asia/Tokyo', watermark: NOON - 9 * HOUR, since: NOON - 10 * HOUR },
		known: {
			a: { time: NOON - 9 * HOUR, last: 'FAILED', isFilteredOut: true },
			b: { time: UNREADABLE },
			c: { time: NOON - 9 * HOUR, end: NOON },
			d: { time: NOON - 9 * HOUR, end: NOON + HOUR },
		},
	});
	const before = inZone({ ...state, previous: NOON, watermark: null, since: null }, 'Asia/Tokyo');
	expect(before).toMatchObject({ previous: NOON - 9 * HOUR, watermark: null, since: null });
});
