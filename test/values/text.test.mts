import { quote } from '../../nodes/EngagementUploads/values/inputError.ts';
import { isAbsent, isEmpty, queryText, toText } from '../../nodes/EngagementUploads/values/text.ts';

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

describe('quote', () => {
	it.each([
		['abc', '“abc”'],
		['a'.repeat(60), `“${'a'.repeat(60)}”`],
		['a'.repeat(61), `“${'a'.repeat(60)}…”`],
		[null, '“null”'],
		[{ secret: 1 }, '(an object)'],
		[['secret'], '(a list)'],
	])('of %j is %s', (value, quoted) => {
		expect(quote(value)).toBe(quoted);
	});
});
