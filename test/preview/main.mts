import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { derivePreviews, textOf } from './previews.mts';
import { FOLDER } from './schema.mts';

/** Writes the output previews that the editor shows before a node has run. */
async function main(): Promise<void> {
	for (const [file, schema] of await derivePreviews()) {
		const target = path.join(FOLDER, file);
		await mkdir(path.dirname(target), { recursive: true });
		await writeFile(target, textOf(schema));
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
