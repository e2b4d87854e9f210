import fc from 'fast-check';
import { all, askFor, failureOf, KeyedService } from './keyedService.mts';

it.each([
	{ status: 422, mostBad: 8 },
	// More may look like an outage.
	{ status: 500, mostBad: 2 },
])('a failed batch is split until only the keys at fault fail: %j', async ({ status, mostBad }) => {
	const given = fc
		.uniqueArray(fc.nat(500).map(String), { minLength: 1, maxLength: 100, size: 'max' })
		.chain((keys) =>
			fc.tuple(
				fc.constant(keys),
				fc.shuffledSubarray(keys, { maxLength: Math.min(mostBad, keys.length) }),
			),
		);
	await fc.assert(
		fc.asyncProperty(given, async ([keys, bad]) => {
			const service = new KeyedService(all, (key) => bad.includes(key), status);
			const answers = await askFor(service.batch(), keys);
			expect(answers).toEqual(
				keys.map((key) =>
					bad.includes(key)
						? { status: 'rejected', reason: failureOf([key], status) }
						: { status: 'fulfilled', value: `value of ${key}` },
				),
			);
			// A fault costs two requests each time its batch is halved, and several ones a few more.
			const more = bad.length > 1 && status < 500 ? 1 + bad.length : 0;
			expect(service.requests.length).toBeLessThanOrEqual(1 + bad.length * 2 * 7 + more);
			if (status < 500) return;
			expect(service.triedOnce).toEqual(service.requests.map((_, index) => index > 0));
		}),
	);
});
