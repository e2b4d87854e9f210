import { plainNumber } from '../../nodes/EngagementUploads/values/ids.ts';
import { describeKind, joinFirst, quote } from '../../nodes/EngagementUploads/values/inputError.ts';
import {
	foldCase,
	isAbsent,
	isEmpty,
	parseQueryText,
	scalarText,
	toText,
	trim,
} from '../../nodes/EngagementUploads/values/text.ts';
import { each } from './readers.mts';

/** What small functions make of a value. */
const functions: Record<string, [make: (value: never) => unknown, rows: unknown[][]]> = {
	toText: [
		toText,
		[
			['a', 'a'],
			[7, '7'],
			[false, 'false'],
			[null, 'null'],
			[undefined, 'undefined'],
			[{ toString: 'no function' }, '{"toString":"no function"}'],
			[[1, 'a'], '[1,"a"]'],
		],
	],
	isAbsent: [
		isAbsent,
		[
			...each([undefined, null, '', ' \t', 'null', ' NULL ', 'Null'], true),
			...each(['nullable', 'not null', 'null x', 'x null', 'a', 0, false, {}, []], false),
		],
	],
	isEmpty: [
		isEmpty,
		[...each([undefined, null, ' \n'], true), ...each(['null', 0, false, []], false)],
	],
	scalarText: [
		scalarText,
		[
			[7, '7'],
			[true, 'true'],
			[' a ', 'a'],
			['a'.repeat(100), 'a'.repeat(100)],
			...each(['a'.repeat(101), {}, null], ''),
		],
	],
	'trimmed, without anything invisible around it,': [
		trim,
		[
			...each(['\u200b a \u200b', '\u200b\na\t\u00ad'], 'a'),
			['a b', 'a b'],
			['é\u200bé', 'é\u200bé'],
			['\u200b\u200b', ''],
		],
	],
	foldCase: [
		foldCase,
		[[' In Progress ', 'in progress'], ['ZOE\u0308', 'zo\u00eb'], ...each([undefined, null], '')],
	],
	plainNumber: [
		plainNumber,
		[
			...each(['7', '7.0', '007'], '7'),
			['17.00', '17'],
			['1002', '1002'],
			['0', '0'],
			['7.5', '7.5'],
			['07a', '07a'],
			['a07', 'a07'],
			['', ''],
		],
	],
	quote: [
		quote,
		[
			['abc', '“abc”'],
			['a'.repeat(60), `“${'a'.repeat(60)}”`],
			['a'.repeat(61), `“${'a'.repeat(60)}…”`],
			[null, '“null”'],
			[{ secret: 1 }, '(an object)'],
			[['secret'], '(a list)'],
		],
	],
	describeKind: [
		describeKind,
		[
			['', 'text'],
			[1, 'a number'],
			[true, 'a boolean'],
			[[], 'a list'],
			[{}, 'an object'],
		],
	],
	'listed, three at the most,': [
		(values: unknown[]) => joinFirst(values, 3),
		[
			[[1, 2, 3], '1, 2, 3'],
			[[1, 2, 3, 4, 5], '1, 2, 3 and 2 more'],
		],
	],
};

describe.each(Object.entries(functions))('%s', (_, [make, rows]) => {
	it.each(rows)('of %j is %j', (value, made) => {
		expect(make(value as never)).toBe(made);
	});
});

describe('parseQueryText', () => {
	it('accepts as much as fits into a URL', () => {
		expect(parseQueryText('a'.repeat(1000), 'Name')).toBe('a'.repeat(1000));
		expect(parseQueryText(undefined, 'Name')).toBeUndefined();
		const message = `Name “${'a'.repeat(60)}…” is too long`;
		const advice = expect.stringMatching(/^Enter at most 1000 characters in Name/);
		const tooLong = () => parseQueryText('a'.repeat(1001), 'Name');
		expect(tooLong).toThrow(expect.objectContaining({ message, advice }));
	});

	it('counts the encoded length of a character in the URL', () => {
		expect(parseQueryText('é'.repeat(166), 'Name')).toBe('é'.repeat(166));
		expect(() => parseQueryText('é'.repeat(167), 'Name')).toThrow('is too long');
	});
});
