/** docs/architecture.md names every file, by its first comment; `npm run docs` writes it. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { table, withSection } from '../support/markdown.mts';

const FILE = 'docs/architecture.md';
const SOURCES = 'nodes/EngagementUploads';
/** One file per operation and event, which all have the same form. */
const ENTRIES = /\.(operation|event)\.ts$/;

/** The first sentence of a file's first comment. @throws if it has none */
function purposeOf(file: string): string {
	const [, comment = ''] =
		/^\/\*\*(.*?)\*\//s.exec(readFileSync(path.join(SOURCES, file), 'utf8')) ?? [];
	const text = comment.replace(/\s*\n\s*\*\s*/g, ' ').trim();
	const [sentence = ''] = text.replace(/ \(docs\/[^)]*\)/g, '').split(/(?<=\.) /);
	if (sentence === '')
		throw new Error(`${file} does not begin with a comment that says what it is`);
	return sentence;
}

it('the architecture names every file, and no others', async () => {
	const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts') && path.dirname(name) !== '.' && !ENTRIES.test(name))
		.sort();
	const document = await readFile(FILE, 'utf8');
	const rows = files.map((name) => [`\`${name}\``, purposeOf(name)]);
	if (process.env.DOCS === 'write')
		await writeFile(FILE, withSection(document, 'files', table(['File', 'Purpose'], rows)));
	const named = (await readFile(FILE, 'utf8')).matchAll(/^\| `(\S+\.ts)` \|/gm);
	if ([...named].map(([, name]) => name).join() !== files.join())
		throw new Error('The list of files is out of date. Run: npm run docs');
});
