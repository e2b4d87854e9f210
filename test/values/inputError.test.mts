import { describeKind, listed, quote } from '../../nodes/EngagementUploads/values/inputError.ts';

it.each([
	['abc', '“abc”'],
	['a'.repeat(60), `“${'a'.repeat(60)}”`],
	['a'.repeat(61), `“${'a'.repeat(60)}…”`],
	[null, '“null”'],
	[{ secret: 1 }, '(an object)'],
	[['secret'], '(a list)'],
])('quote of %j is %s', (value, quoted) => {
	expect(quote(value)).toBe(quoted);
});

it.each([
	[[1, 2], '1, 2'],
	[[1, 2, 3], '1, 2, 3'],
	[[1, 2, 3, 4, 5], '1, 2, 3 and 2 more'],
])('listed of %j is “%s”', (values, text) => {
	expect(listed(values, 3)).toBe(text);
});

it.each([
	['', 'text'],
	[1, 'a number'],
	[true, 'a boolean'],
	[[], 'a list'],
	[{}, 'an object'],
])('describeKind of %j is “%s”', (value, kind) => {
	expect(describeKind(value)).toBe(kind);
});
