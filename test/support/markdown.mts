/** Parts of documents that are generated. */
import { readFileSync, writeFileSync } from 'node:fs';

export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)];
}

/**
 * Writes these lines into a section of a document, if `npm run docs` asks for it. @throws if the
 * section is another one
 */
export function checkSection(file: string, name: string, lines: readonly string[]): void {
	const document = readFileSync(file, 'utf8');
	const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
	const [before, rest = ''] = document.split(start);
	const [, after] = rest.split(end);
	if (after === undefined) throw new Error(`${file} has no ${start} with an end`);
	const expected = [`${before}${start}`, ...lines, `${end}${after}`].join('\n');
	// Other tests read the document meanwhile.
	if (document === expected) return;
	if (process.env.DOCS === 'write') return writeFileSync(file, expected);
	const missing = lines.filter((line) => !document.includes(line));
	throw new Error(
		[`The ${name} in ${file} are out of date.`, ...missing, 'Run: npm run docs'].join('\n'),
	);
}
