import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';
import { derivePreviews, FOLDER, textOf } from './previews.mts';

test('there is an up-to-date preview for each operation and for the trigger', async () => {
	const derived = await derivePreviews();
	const names = operations.map(({ resource, operation }) => `v1.0.0/${resource}/${operation}.json`);
	const expected = ['v1.0.0.json', ...names];
	expect([...derived.keys()].sort()).toEqual(expected.sort());

	const files = (await readdir(FOLDER, { recursive: true })).filter((file) =>
		file.endsWith('.json'),
	);
	expect(files.sort()).toEqual(expected.sort());
	for (const [file, schema] of derived) {
		if (!('properties' in schema))
			throw new Error(
				`${file} is empty: add records to test/support/service/sample.mts, for every engagement that has an upload`,
			);
		expect(await readFile(path.join(FOLDER, file), 'utf8')).toBe(textOf(schema));
	}
});
