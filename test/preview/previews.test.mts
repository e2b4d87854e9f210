import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { derivePreviews, FOLDER, textOf } from './previews.mts';

/** Operations of all resources, as the editor offers them. */
function operations(): string[] {
	return new EngagementUploads().description.properties.flatMap(
		({ name, options = [], displayOptions }) =>
			name !== 'operation'
				? []
				: options.flatMap((option) =>
						'value' in option
							? [`${String(displayOptions?.show?.resource?.[0])}/${String(option.value)}`]
							: [],
					),
	);
}

test('there is an up-to-date preview for each operation and for the trigger', async () => {
	const derived = await derivePreviews();
	const expected = ['v1.0.0.json', ...operations().map((name) => `v1.0.0/${name}.json`)];
	expect([...derived.keys()].sort()).toEqual(expected.sort());

	const files = (await readdir(FOLDER, { recursive: true })).filter((file) =>
		file.endsWith('.json'),
	);
	expect(files.sort()).toEqual(expected);
	for (const [file, schema] of derived) {
		expect(await readFile(path.join(FOLDER, file), 'utf8')).toBe(textOf(schema));
	}
});
