import { parseOptionalDate, parseOptionalEnd } from '../../nodes/EngagementUploads/values/dates.ts';
import {
	parseEngagementId,
	parseIds,
	parseUploadId,
} from '../../nodes/EngagementUploads/values/ids.ts';
import { parseList } from '../../nodes/EngagementUploads/values/lists.ts';
import { parseCollection, parseObject } from '../../nodes/EngagementUploads/values/objects.ts';
import {
	parseNumber,
	parseOption,
	parseBoolean,
} from '../../nodes/EngagementUploads/values/scalars.ts';
import {
	parsePathPart,
	parseRequiredText,
	parseText,
} from '../../nodes/EngagementUploads/values/text.ts';

const UUID = '5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11';
const NOTHING = [undefined, null, '', '  '];
const LONE_SURROGATE = 'a\ud800b';

/** Parses what was entered in a field. */
export type Reader = (value: unknown, field: string) => unknown;

type Accepted = [entered: unknown, value: unknown];

interface Kind {
	read: Reader;
	accepted: Accepted[];
	refused: unknown[];
}

/** Each of these is read as the same value. */
export const each = (entered: unknown[], value: unknown) =>
	entered.map((one): Accepted => [one, value]);

/** A number from 1 to 64. */
export const limited: Reader = (value, field) => parseNumber(value, field, 1, 64);
const optionalDateIn: Reader = (value, field) => parseOptionalDate(value, field, 'Europe/London');

/** Each parser, with what it must accept and what it must reject. */
export const kinds: Record<string, Kind> = {
	parseEngagementId: {
		read: parseEngagementId,
		accepted: [
			...each([1001, '1001', ' 1001\n', '1001.0', ' 01001 ', '001001.00', '1001.000'], 1001),
			...each([1, '1.0', '1.00', '1.0000', '001'], 1),
			[{ engagementId: 1001, name: 'x' }, 1001],
			[{ Id: 1001, name: 'x' }, 1001],
			['\u200b1001\u00a0\u200e', 1001],
			[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
		],
		refused: [
			...NOTHING,
			...[0, -1, 1.5, NaN, Infinity, 2 ** 53, 1e21, true, [1001], {}],
			...['0', '-1', '+1', '1001.5', '1001.', '1,001', '1e3'],
			...['0x10', '1,2', 'abc', '10 01', '1/..', '١٢', '99999999999999999999'],
			...['1.000', ' 12.000 ', '123.000', '1 001', "1'001", '1.001', '1.000.000'],
		],
	},
	uploadId: {
		read: parseUploadId,
		accepted: [
			[UUID, UUID],
			[` ${UUID.toUpperCase()} `, UUID.toUpperCase()],
			[17, '17'],
			['17.0', '17'],
			[{ uploadId: UUID, engagementId: 1001 }, UUID],
		],
		refused: [
			...NOTHING,
			...['..', '.', 'a/b', '../x', 'a\\b', 'a?b', 'a#b', 'a%2Fb', 'a b', 'a\nb', '-a', 'é'],
			...['a'.repeat(101), '17.5', '1.000', '12.000', {}, [UUID], true],
		],
	},
	parsePathPart: {
		read: parsePathPart,
		accepted: [
			['online', 'online'],
			[' Sage 50 (UK) ', 'Sage 50 (UK)'],
			['a?b#c%2F', 'a?b#c%2F'],
			['...', '...'],
			['a'.repeat(200), 'a'.repeat(200)],
			[50, '50'],
		],
		refused: [
			...NOTHING,
			...['.', '..', 'a/b', '/', 'a\\b', 'a\nb', 'a\u0000b', 'a'.repeat(201), {}, ['a']],
			LONE_SURROGATE,
		],
	},
	parseRequiredText: {
		read: parseRequiredText,
		accepted: [
			[' ACME & Söhne ', 'ACME & Söhne'],
			['😀', '😀'],
			[7, '7'],
			[false, 'false'],
		],
		refused: [...NOTHING, {}, [], ['a'], () => 'a', NaN, LONE_SURROGATE, 'a'.repeat(4001)],
	},
	parseText: {
		read: parseText,
		accepted: [...each(NOTHING, undefined), ['a ', 'a']],
		refused: [{}, [], { name: 'a' }, LONE_SURROGATE],
	},
	parseBoolean: {
		read: parseBoolean,
		accepted: [
			...each([true, 'true', 'True', ' TRUE ', 'yes', 'Yes', 1, '1'], true),
			...each([...NOTHING, false, 'false', 'False', 'no', 'NO', 0, '0'], false),
		],
		refused: ['perhaps', 'y', 2, -1, '01', {}, [], [true]],
	},
	parseNumber: {
		read: limited,
		accepted: [
			[1, 1],
			[64, 64],
			[' 7 ', 7],
		],
		refused: [...NOTHING, 0, 65, -1, 1.5, '1.5', NaN, Infinity, 'many', true, {}, [7]],
	},
	parseFraction: {
		read: (value, field) => parseNumber(value, field, 0, 3600, false),
		accepted: [
			['0.5', 0.5],
			[0, 0],
		],
		refused: [...NOTHING, -0.5, 3600.1, true, [7]],
	},
	parseOption: {
		read: (value, field) =>
			parseOption(value, field, [
				{ name: 'Not Scheduled', value: '0' },
				{ name: 'All Data', value: 'Full' },
			]),
		accepted: [
			...each(['Full', ' FULL ', 'all data', 'ALL_DATA'], 'Full'),
			...each([0, '0', 'NOT_SCHEDULED', 'Not Scheduled', 'not  scheduled '], '0'),
		],
		refused: [...NOTHING, 'Fully', 1, '-0', '1', true, {}, ['Full'], 'toString'],
	},
	parseList: {
		read: parseList,
		accepted: [
			...each([...NOTHING, [], {}, ['', null], ['undefined'], [{}]], undefined),
			...each(['null', ' undefined ', 'NULL', '[]', '{}', '[null]'], undefined),
			['a, b,,a ', ['a', 'b']],
			['a, null', ['a']],
			['Cloud Books; Desk Ledger\nPaper', ['Cloud Books', 'Desk Ledger', 'Paper']],
			['["a, b", "c"]', ['a, b', 'c']],
			[
				['a', 'b ', 'a', ''],
				['a', 'b'],
			],
			[7, ['7']],
			[
				[1, 2],
				['1', '2'],
			],
		],
		refused: [',', ' ;\n, ', [['a']], [{ name: 'a' }], LONE_SURROGATE],
	},
	parseExternalIds: {
		read: (value, field) => parseList(value, field, { fields: ['externalEngagementId'] }),
		accepted: [
			['CUST 042', ['CUST 042']],
			['A-1, A 2; A-3\nA-4', ['A-1', 'A 2', 'A-3', 'A-4']],
			[['ACME 1'], ['ACME 1']],
			[[{ externalEngagementId: 'ACME 1' }], ['ACME 1']],
			[{ externalEngagementId: 'ACME 1' }, ['ACME 1']],
		],
		refused: [' , '],
	},
	parseIds: {
		read: parseIds,
		accepted: [
			...each([...NOTHING, [], {}, [{}], 'null'], undefined),
			['1001, 1002,1001', [1001, 1002]],
			// Whoever groups digits does not begin with a zero, nor with four digits.
			...each(['001,002', '1;002', '1\n002'], [1, 2]),
			['1001,002', [1001, 2]],
			['1,234', [1, 234]],
			[
				[1002, '1001', 1002],
				[1002, 1001],
			],
			[1001, [1001]],
			['1001\r\n1002\n', [1001, 1002]],
			['[1001, "1002"]', [1001, 1002]],
			['[]', undefined],
			['1001;1002', [1001, 1002]],
			['1001 1002\t1003', [1001, 1002, 1003]],
			[' 1001.0 ,; 01002\n\n1003 ; ', [1001, 1002, 1003]],
			[
				[{ engagementId: 1001 }, 1002, { Id: 1003 }],
				[1001, 1002, 1003],
			],
			...each([{ engagementId: 1001 }, { Id: '1001' }], [1001]),
		],
		refused: [
			...[',,', '[1001', '1001, abc', [1001, null, 'x'], ['1001,1002'], -1],
			...['1,001', '1 001', '1\u00a0001', '1\u202f001', '1, 001', '12,034; 7', '1,002,003'],
			...['1.000', '5, 12.000', ['1.000'], ['1,001'], ['1 001'], '[1.000, 2]', '["1.000"]'],
		],
	},
	parseOptionalDate: {
		read: optionalDateIn,
		accepted: [
			...each(NOTHING, undefined),
			['2026-07-01T10:00:00', { epoch: Date.parse('2026-07-01T09:00:00Z'), day: '2026-07-01' }],
		],
		refused: ['tomorrow', '01.07.2026', '2026-02-30', 20260701, {}, true],
	},
	parseOptionalEnd: {
		read: (value, field) => parseOptionalEnd(value, field, 'Europe/London'),
		accepted: [
			['2026-07-01', { epoch: Date.parse('2026-07-01T22:59:59Z'), day: '2026-07-01' }],
			[' 2026-07-01 ', { epoch: Date.parse('2026-07-01T22:59:59Z'), day: '2026-07-01' }],
			...each(['2026-07-01T00:00', '2026-07-01T00:00:00', '2026-07-01 00:00:00.000'], {
				epoch: Date.parse('2026-07-01T22:59:59Z'),
				day: '2026-07-01',
			}),
			['2026-07-01T00:00:01', { epoch: Date.parse('2026-06-30T23:00:01Z'), day: '2026-07-01' }],
			['2026-07-01T00:00:00Z', { epoch: Date.parse('2026-07-01T00:00:00Z'), day: '2026-07-01' }],
		],
		refused: ['2026-02-30', 'soon'],
	},
	parseCollection: {
		read: (value, field) => parseCollection(value, field, ['a', 'b']),
		accepted: [...each(NOTHING, {}), [{ b: '' }, { b: '' }]],
		refused: ['{"a":1}', 'a', [], [{}], 7, true, { c: 1 }],
	},
	parseObject: {
		read: parseObject,
		accepted: [
			...each(NOTHING, undefined),
			['{"a":{"b":1}}', { a: { b: 1 } }],
			[{ a: 1 }, { a: 1 }],
			['{}', {}],
		],
		refused: ['{', '[]', 'null', '7', '"a"', [], [{}], 7, true],
	},
};
