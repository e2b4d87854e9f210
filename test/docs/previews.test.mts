/** The output previews, which the editor shows before a node has run; `npm run docs` writes them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { derivePreviews, textOf } from './previews.mts';
import { FOLDER, type Schema } from './schema.mts';

let derived: Map<string, Schema>;

beforeAll(async () => {
	derived = await derivePreviews();
});

it('there is an up-to-date preview for each operation and for the trigger', () => {
	for (const [name, schema] of derived) {
		if (!('properties' in schema))
			throw new Error(
				`${name} is empty: add records to test/support/service/sample.mts, for every engagement that has an upload. Then run: npm run docs`,
			);
		const file = path.join(FOLDER, name);
		const present = existsSync(file) ? readFileSync(file, 'utf8') : '';
		if (present === textOf(schema)) continue;
		if (process.env.DOCS !== 'write') throw new Error(`${file} is out of date. Run: npm run docs`);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, textOf(schema));
	}
});

it('there is no other preview of the newest version', () => {
	const version = (name: string) => name.split('/')[0];
	const newest = [...derived.keys()].map(version);
	const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
	const others = files.filter(
		(name) => name.endsWith('.json') && newest.includes(version(name)) && !derived.has(name),
	);
	if (others.length > 0)
		throw new Error(`No operation has these previews; delete them in ${FOLDER}: ${others.join()}`);
});
