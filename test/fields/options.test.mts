import { optionsField, optionsOf } from '../../nodes/EngagementUploads/fields/options.ts';
import { InputError } from '../../nodes/EngagementUploads/values/inputError.ts';

function complaint(entered: Parameters<typeof optionsOf>[0]): string {
	try {
		optionsOf(entered);
	} catch (error) {
		if (error instanceof InputError) return error.message;
		throw error;
	}
	throw new Error('accepted');
}

describe('options', () => {
	it('have their documented defaults, times in milliseconds', () => {
		expect(optionsOf({})).toEqual({
			pageSize: 100,
			parallelRequests: 64,
			timeout: 60_000,
			includeMissing: false,
			waitTimeout: 15 * 60_000,
			waitInterval: 10_000,
			customBody: undefined,
			customQuery: {},
		});
	});

	it('have the values entered, even as text', () => {
		expect(
			optionsOf({ pageSize: '20', parallelRequests: 1, timeout: 0.5, waitTimeout: 0 }),
		).toMatchObject({ pageSize: 20, parallelRequests: 1, timeout: 500, waitTimeout: 0 });
		expect(optionsOf({ customBody: '{"a": {"b": 1}}' }).customBody).toEqual({ a: { b: 1 } });
	});

	it.each([
		[{ parallelRequests: 0 }, 'Parallel Requests “0” is not a whole number from 1 to 64'],
		[{ parallelRequests: 65 }, 'Parallel Requests “65” is not a whole number from 1 to 64'],
		[{ parallelRequests: 'many' }, 'Parallel Requests “many” is not a whole number from 1 to 64'],
		[{ pageSize: 0 }, 'Page Size “0” is not a whole number of at least 1'],
		[{ timeout: 0 }, 'Timeout (Seconds) “0” is not a number from 0.001 to 3600'],
		[{ waitInterval: -1 }, 'Wait Interval (Seconds) “-1” is not a number of at least 0.001'],
		[{ includeMissing: 'perhaps' }, 'Include Missing “perhaps” is neither true nor false'],
		[{ customBody: '[1]' }, 'Custom Body is not a JSON object'],
		[{ customQuery: '{"a":' }, 'Custom Query is not valid JSON'],
		[{ customQuery: { a: { b: 1 } } }, 'Custom Query contains an object in “a”'],
	])('%j is rejected: %s', (entered, message) => {
		expect(complaint(entered)).toBe(message);
	});

	it('are added to the query, except page and size, which the node sets', () => {
		const customQuery = { page: 5, size: 1, a: true, list: [1, 'b'], none: null };
		expect(optionsOf({ customQuery }).customQuery).toEqual({
			a: 'true',
			list: '1,b',
			none: undefined,
		});
	});

	it('are offered where they apply, by name; every request has a query and a timeout', () => {
		const offered = optionsField('pageSize', 'customBody').options?.map(({ name }) => name);
		expect(offered).toEqual(['customBody', 'customQuery', 'pageSize', 'timeout']);
	});
});
