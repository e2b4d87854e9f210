/** Keys are divided into requests. */
import fc from 'fast-check';
import { chunked } from '../../nodes/EngagementUploads/search/batch.ts';

const keyLists = fc.array(fc.string({ minLength: 1, unit: 'grapheme', maxLength: 40 }));
const most = fc.integer({ min: 1, max: 20 });
const characters = fc.integer({ min: 1, max: 200 });

it('chunks keep every key, with neither too many nor too long ones, unless a single one is too long', () => {
	fc.assert(
		fc.property(keyLists, most, characters, (keys, count, length) => {
			const chunks = chunked(keys, count, length);
			expect(chunks.flat()).toEqual(keys);
			for (const chunk of chunks) {
				expect(chunk.length).toBeLessThanOrEqual(count);
				const inUrl = chunk.map(encodeURIComponent).join(',');
				if (chunk.length > 1) expect(inUrl.length).toBeLessThanOrEqual(length);
			}
		}),
	);
});

it('chunks are as full as possible', () => {
	expect(chunked(Array<string>(250).fill('1000'), 100, 1500).map(({ length }) => length)).toEqual([
		100, 100, 50,
	]);
	expect(chunked(['ab', 'cd', 'ef', 'gh'], 100, 6)).toEqual([
		['ab', 'cd'],
		['ef', 'gh'],
	]);
	expect(chunked([], 100, 1500)).toEqual([]);
});
