/** docs/architecture.md names every file, by its first comment; `npm run docs` writes it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { checkSection, table } from '../support/markdown.mts';

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

it('the architecture names every file, and no others', () => {
	const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts') && path.dirname(name) !== '.' && !ENTRIES.test(name))
		.sort();
	const rows = files.map((name) => [`\`${name}\``, purposeOf(name)]);
	checkSection('docs/architecture.md', 'files', table(['File', 'Purpose'], rows));
});
