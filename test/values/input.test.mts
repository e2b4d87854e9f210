import fc from 'fast-check';
import { parseEngagementId, parseUploadId } from '../../nodes/EngagementUploads/values/ids.ts';
import { InputError } from '../../nodes/EngagementUploads/values/inputError.ts';
import { parseObject } from '../../nodes/EngagementUploads/values/objects.ts';
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

	it('about JSON does not quote it', () => {
		expect(complaint(parseObject, '{"key": "secretword').message).not.toContain('secretword');
	});
});
