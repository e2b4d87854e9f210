import {
	folded,
	isAbsent,
	isEmpty,
	queryText,
	scalarText,
	toText,
	trimmed,
} from '../../nodes/EngagementUploads/values/text.ts';

describe('toText', () => {
	it.each([
		['a', 'a'],
		[7, '7'],
		[false, 'false'],
		[null, 'null'],
		[undefined, 'undefined'],
		[{ toString: 'no function' }, '{"toString":"no function"}'],
		[[1, 'a'], '[1,"a"]'],
	])('turns %j into %s', (value, text) => {
		expect(toText(value)).toBe(text);
	});
});

describe('isAbsent', () => {
	it.each([[undefined], [null], [''], [' \t'], ['null'], [' NULL '], ['Null']])(
		'is true for %j',
		(value) => expect(isAbsent(value)).toBe(true),
	);

	it.each([['nullable'], ['not null'], ['null x'], ['x null'], ['a'], [0], [false], [{}], [[]]])(
		'is false for %j',
		(value) => expect(isAbsent(value)).toBe(false),
	);
});

it.each([
	[undefined, true],
	[null, true],
	[' \n', true],
	['null', false],
	[0, false],
	[false, false],
	[[], false],
])('isEmpty of %j is %s', (value, empty) => {
	expect(isEmpty(value)).toBe(empty);
});

describe('queryText', () => {
	it('accepts as much as fits into a URL', () => {
		expect(queryText('a'.repeat(1000), 'Name')).toBe('a'.repeat(1000));
		expect(() => queryText('a'.repeat(1001), 'Name')).toThrow(/^Name “a{60}…” is too long$/);
		expect(queryText(undefined, 'Name')).toBeUndefined();
	});

	it('counts the encoded length of a character in the URL', () => {
		expect(queryText('é'.repeat(166), 'Name')).toBe('é'.repeat(166));
		expect(() => queryText('é'.repeat(167), 'Name')).toThrow('is too long');
	});

	it('advises how much to enter', () => {
		const advice = expect.stringMatching(/^Enter at most 1000 characters in Name/);
		expect(() => queryText('a'.repeat(1001), 'Name')).toThrow(expect.objectContaining({ advice }));
	});
});

it.each([
	[7, '7'],
	[true, 'true'],
	[' a ', 'a'],
	['a'.repeat(100), 'a'.repeat(100)],
	['a'.repeat(101), ''],
	[{}, ''],
	[null, ''],
])('scalarText of %j is “%s”', (value, text) => {
	expect(scalarText(value)).toBe(text);
});

it.each([
	['\u200b a \u200b', 'a'],
	['\u200b\na\t\u00ad', 'a'],
	['a b', 'a b'],
	['é\u200bé', 'é\u200bé'],
	['\u200b\u200b', ''],
])('trimmed leaves nothing invisible around %j', (text, inner) => {
	expect(trimmed(text)).toBe(inner);
});

it.each([
	[' In Progress ', 'in progress'],
	['ZOE\u0308', 'zo\u00eb'],
	[undefined, ''],
	[null, ''],
])('folded of %j is “%s”', (value, text) => {
	expect(folded(value)).toBe(text);
});
