/** What people, spreadsheets and models enter: it is understood, or rejected with the field and what to enter. */
import fc from 'fast-check';
import { parseOptionalEnd } from '../../nodes/EngagementUploads/values/dates.ts';
import {
	parseEngagementId,
	parseExternalIds,
	parseIds,
	parseUploadId,
} from '../../nodes/EngagementUploads/values/ids.ts';
import { InputError } from '../../nodes/EngagementUploads/values/inputError.ts';
import {
	parseCollection,
	parseList,
	parseObject,
} from '../../nodes/EngagementUploads/values/objects.ts';
import {
	parseBoolean,
	parseNumber,
	parseOption,
} from '../../nodes/EngagementUploads/values/scalars.ts';
import {
	parseText,
	parsePathPart,
	parseRequiredText,
} from '../../nodes/EngagementUploads/values/text.ts';

const FIELD = 'The Field';
const UUID = '5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11';
const NOTHING = [undefined, null, '', '  '];
const HALF_CHARACTER = 'a\ud800b';

/** Parses what was entered in a field. */
type Parser = (value: unknown, field: string) => unknown;
type Accepted = [entered: unknown, value: unknown];

/** Each of these is read as the same value. */
const each = (entered: unknown[], value: unknown) => entered.map((one): Accepted => [one, value]);

const upTo64: Parser = (value, field) =>
	parseNumber(value, field, { min: 1, max: 64, whole: true });
const inLondon: Parser = (value, field) => parseOptionalEnd(value, field, 'Europe/London');
const frequency: Parser = (value, field) =>
	parseOption(value, field, [
		{ name: 'Not Scheduled', value: '0' },
		{ name: 'All Data', value: 'Full' },
	]);
const collection: Parser = (value, field) => parseCollection(value, field, ['a', 'b']);

/** Each parser, with what it must accept and what it must reject. */
const parsers: Record<string, [parse: Parser, accepted: Accepted[], rejected: unknown[]]> = {
	'an engagement ID': [
		parseEngagementId,
		[...each([1001, '1001', ' 1001\n', '1001.0', '\ufeff1001\u00a0'], 1001)],
		[
			[...NOTHING, 0, -1, 1.5, NaN, 2 ** 53, true, [1001], {}, { Id: 1001 }, '١٢', '01001'],
			['0', '-1', '+1', '1001.5', '1,001', '1e3', '0x10', 'abc', '10 01', '1/..', '9'.repeat(17)],
			// Spreadsheets also group thousands in these ways.
			['1.000', ' 12.000 ', '123.000', '1 001', "1'001", '1.001', '1.000.000'],
		].flat(),
	],
	'an upload ID': [
		parseUploadId,
		[
			[UUID, UUID],
			...each([` ${UUID.toUpperCase()} `, UUID.replaceAll('-', '')], UUID),
			['ABC-1', 'ABC-1'],
			...each([17, '17'], '17'),
		],
		[
			[...NOTHING, 'null', '..', 'a/b', 'a\\b', 'a?b', 'a#b', 'a%2Fb', 'a b', 'a\nb', '-a', 'é'],
			['a'.repeat(101), '17.5', '17.0', '1.000', {}, [UUID], true],
		].flat(),
	],
	'a part of a path': [
		parsePathPart,
		[...each([' Sage 50? #%2F ', 'Sage 50? #%2F'], 'Sage 50? #%2F'), [50, '50']],
		[...NOTHING, '.', '..', 'a/b', 'a\\b', 'a\nb', {}, ['a'], HALF_CHARACTER],
	],
	'a required text': [
		parseRequiredText,
		[...each([' 7 ', 7], '7'), ['ACME & Söhne 😀', 'ACME & Söhne 😀']],
		[...NOTHING, 'null', 'undefined', {}, ['a'], NaN, HALF_CHARACTER],
	],
	'an optional text': [parseText, [...each(NOTHING, undefined), ['a ', 'a']], [{}, []]],
	'a boolean': [
		parseBoolean,
		[
			...each([true, 'true', 'True', ' TRUE ', 'yes', 'Yes', 1, '1'], true),
			...each([...NOTHING, false, 'false', 'False', 'no', 'NO', 0, '0'], false),
		],
		['perhaps', 2, {}, [true]],
	],
	'a number': [
		upTo64,
		each([' 64 ', 64, '64.0'], 64),
		[...NOTHING, 0, 65, 1.5, '1.5', NaN, 'many', true, [7], '1.000'],
	],
	'an option': [
		frequency,
		[
			...each(['Full', ' FULL ', 'all data', 'ALL_DATA'], 'Full'),
			...each([0, '0', '0.0', 'NOT_SCHEDULED', 'not  scheduled '], '0'),
		],
		[...NOTHING, 'Fully', 1, true, ['Full'], 'toString'],
	],
	'a list': [
		parseList,
		[
			...each([...NOTHING, [], {}, ['', null], ['undefined'], [{}]], undefined),
			...each(['null', ' undefined ', 'NULL', '[]', '{}', '[null]'], undefined),
			['a, b,,a , null', ['a', 'b']],
			['Cloud Books; Desk Ledger\nPaper', ['Cloud Books', 'Desk Ledger', 'Paper']],
			['["a, b", "c"]', ['a, b', 'c']],
			...each([['a', 'b ', 'a', 7]], ['a', 'b', '7']),
		],
		[',', ' ;\n, ', [['a']], [{ name: 'a' }], HALF_CHARACTER],
	],
	'external IDs': [
		parseExternalIds,
		[
			['A-1, CUST 042; A-3\nA-4', ['A-1', 'CUST 042', 'A-3', 'A-4']],
			...each([['Mu\u0308ller 1'], 'M\u00fcller 1'], ['M\u00fcller 1']),
		],
		[' , ', ['A,B']],
	],
	'engagement IDs': [
		parseIds,
		[
			...each([...NOTHING, [], {}, [{}], 'null'], undefined),
			...each(['1001, 1002,1001', '1001;1002', '1001\r\n1002\n', '[1001, "1002"]'], [1001, 1002]),
			[1001, [1001]],
			['1,234', [1, 234]],
		],
		[
			[',,', '[1001', '1001, abc', [1001, null, 'x'], ['1001,1002'], -1],
			// Spreadsheets group thousands in these ways.
			['1,001', '1 001', '1\u00a0001', '1, 001', '12,034; 7', '1,002,003', '1001 1002'],
			['1.000', '5, 12.000', ['1.000'], ['1,001']],
		].flat(),
	],
	'the end of a range': [
		inLondon,
		[
			...each(NOTHING, undefined),
			[' 2026-07-01 ', { epoch: Date.parse('2026-07-01T23:00:00Z') }],
			['2026-07-01T00:00', { epoch: Date.parse('2026-06-30T23:00:00Z') }],
			['2026-07-01T00:00:00Z', { epoch: Date.parse('2026-07-01T00:00:00Z') }],
		],
		['2026-02-30', 'soon', '01.07.2026', 20260701, true],
	],
	'a collection': [
		collection,
		[...each(NOTHING, {}), [{ b: '' }, { b: '' }]],
		['{"a":1}', [], 7, { c: 1 }],
	],
	'a JSON object': [
		parseObject,
		[...each(NOTHING, undefined), ...each(['{"a":{"b":1}}', { a: { b: 1 } }], { a: { b: 1 } })],
		['{', '[]', 'null', '7', 'trace=1', [{}], 7],
	],
};

describe.each(Object.entries(parsers))('%s', (_, [parse, accepted, rejected]) => {
	it.each(accepted)('is read from %j as %j', (entered, value) => {
		expect(parse(entered, FIELD)).toEqual(value);
	});

	it.each(rejected.map((entered) => ({ entered })))('is not $entered', ({ entered }) => {
		const [message, advice] = [/^The Field /, /.{11}/].map((text) => expect.stringMatching(text));
		expect(() => parse(entered, FIELD)).toThrow(expect.objectContaining({ message, advice }));
	});

	it('is read, or rejected with an InputError, whatever is entered', () => {
		const value = fc.oneof(fc.jsonValue(), fc.string(), fc.double());
		const property = fc.property(value, (entered) => {
			try {
				parse(entered, FIELD);
			} catch (error) {
				expect(error).toBeInstanceOf(InputError);
			}
		});
		fc.assert(property);
	});
});

it.each<[Parser, unknown, message: string, advice: string]>([
	[parseEngagementId, '', 'is empty', 'Enter a value in The Field'],
	[parseEngagementId, 'abc', '“abc” is not a positive whole number', 'Enter a number such as 1001'],
	[parseIds, '1,001', '“001” is not a positive whole number', 'Enter a number such as 1001'],
	[upTo64, 65, '“65” is not a whole number from 1 to 64', 'Enter a whole number from 1 to 64'],
	[frequency, 'up', '“up” is not a known value', 'Use one of: Not Scheduled (0), All Data (Full)'],
	[parseList, [{ id: 1 }], 'contains an object instead of text', 'Enter text in The Field'],
	[collection, { a: 1, c: 2 }, 'has no field “c”', 'Use one or more of: a, b'],
	[parseObject, '{"key": "secretword', 'is not valid JSON', 'Enter an object such as'],
	[parseObject, '[1]', 'is not a JSON object', 'Enter an object such as'],
])('the error says what is wrong and what to enter: %p %j', (parse, entered, problem, advice) => {
	const error = { message: `The Field ${problem}`, advice: expect.stringContaining(advice) };
	expect(() => parse(entered, FIELD)).toThrow(expect.objectContaining(error));
});
