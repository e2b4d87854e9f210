import fc from 'fast-check';
import { parseEngagementId, parseUploadId } from '../../nodes/EngagementUploads/values/ids.ts';
import { InputError } from '../../nodes/EngagementUploads/values/inputError.ts';
import { parseList } from '../../nodes/EngagementUploads/values/lists.ts';
import { parseCollection, parseObject } from '../../nodes/EngagementUploads/values/objects.ts';
import { parseNumber, parseOption } from '../../nodes/EngagementUploads/values/scalars.ts';
import { kinds, limited, type Reader } from './readers.mts';

const FIELD = 'The Field';

/** Characters beyond the first plane and halves of them, too; fast-check's own take seconds to set up. */
const anyText = fc
	.array(fc.oneof(fc.nat(0xff), fc.nat(0xffff)), { maxLength: 10 })
	.map((units) => String.fromCharCode(...units));

/** The error that a parser throws; fails if it accepts the value. */
function complaint(read: Reader, value: unknown): InputError {
	let accepted: unknown;
	try {
		accepted = read(value, FIELD);
	} catch (error) {
		if (error instanceof InputError) return error;
		throw error;
	}
	throw new Error(`accepted as ${JSON.stringify(accepted)}`);
}

describe.each(Object.entries(kinds))('%s', (_, { read, accepted, refused }) => {
	it.each(accepted)('reads %j as %j', (entered, value) => {
		expect(read(entered, FIELD)).toEqual(value);
	});

	it.each(refused.map((entered) => ({ entered })))(
		'rejects $entered, naming the field and what to enter',
		({ entered }) => {
			const { message, advice } = complaint(read, entered);
			expect(message).toMatch(/^The Field /);
			expect(advice.length).toBeGreaterThan(10);
		},
	);

	it('returns a value or throws an InputError, whatever is entered', () => {
		const value = fc.oneof(fc.jsonValue(), anyText, fc.double());
		fc.assert(
			fc.property(value, (entered) => {
				try {
					read(entered, FIELD);
				} catch (error) {
					expect(error).toBeInstanceOf(InputError);
				}
			}),
		);
	});
});

describe('an InputError', () => {
	it.each([parseEngagementId, parseUploadId])('says that a required value is missing', (read) => {
		expect(complaint(read, '').message).toBe('The Field is empty');
	});

	it('names the range, and the known values', () => {
		expect(complaint(limited, 65).message).toBe(
			'The Field “65” is not a whole number from 1 to 64',
		);
		const open: Reader = (value, field) => parseNumber(value, field, 1, Infinity);
		expect(complaint(open, 0).message).toContain('of at least 1');
		const options = [
			{ name: 'Ascending', value: 'asc' },
			{ name: 'Desc', value: 'desc' },
		];
		const known: Reader = (value, field) => parseOption(value, field, options);
		expect(complaint(known, 'up').advice).toBe('Use one of: Ascending (asc), desc');
	});

	it('quotes an ID, and says what to enter', () => {
		expect(complaint(parseEngagementId, 'abc')).toMatchObject({
			message: 'The Field “abc” is not a positive whole number',
			advice: 'Enter a number such as 1001 in The Field',
		});
	});

	it('says what a list contains instead of text, and how many entries it may have', () => {
		const { message } = complaint(parseList, [{ engagementId: 1 }]);
		expect(message).toBe('The Field contains an object instead of text');
		const numbers = Array.from({ length: 20_001 }, (_, index) => index);
		expect(parseList(numbers.slice(1), FIELD)).toHaveLength(20_000);
		for (const value of [numbers, numbers.join()])
			expect(complaint(parseList, value)).toMatchObject({
				message: 'The Field has 20001 entries, which is too many',
				advice: 'Enter at most 20000 entries in The Field, or split them across several items',
			});
	});

	it('names a field that a collection does not have, and those that it has', () => {
		const filters: Reader = (value, field) => parseCollection(value, field, ['a', 'b']);
		expect(complaint(filters, { a: 1, c: 2 })).toMatchObject({
			message: 'The Field has no field “c”',
			advice: 'Use one or more of: a, b',
		});
	});

	it('about JSON says whether it is invalid or no object, without quoting it', () => {
		expect(complaint(parseObject, '{"key": "secretword').message).toBe(
			'The Field is not valid JSON',
		);
		expect(complaint(parseObject, '[1]').message).toBe('The Field is not a JSON object');
	});
});
