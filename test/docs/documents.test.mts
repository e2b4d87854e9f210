/** What documents and comments name exists: files, headings, commands, tests and messages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
const DOCUMENTS = ['.', 'docs', 'examples'].flatMap((folder) =>
	readdirSync(folder)
		.filter((name) => name.endsWith('.md'))
		.map((name) => path.join(folder, name)),
);

function read(file: string): string {
	return readFileSync(file, 'utf8');
}

/** All sources, except in hidden folders, which hold whole installations of n8n. */
function sourcesIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter(({ name }) => !/^(\.|node_modules)/.test(name))
		.flatMap((entry) => {
			const file = path.join(folder, entry.name);
			return entry.isDirectory() ? sourcesIn(file) : file;
		})
		.filter((file) => /\.m?ts$/.test(file));
}

/** What the first group of a pattern matches in the documents. */
function findAll(pattern: RegExp): string[] {
	const texts = DOCUMENTS.map(read);
	return texts.flatMap((text) => [...text.matchAll(pattern)].map(([, found = '']) => found));
}

/** The anchors that GitHub gives to the headings of a document. */
function anchorsIn(file: string): string[] {
	return [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\w\- ]/g, '')
			.replaceAll(' ', '-'),
	);
}

/** What to add for a link that leads nowhere. */
function missingFor(from: string, target: string, base: string): string[] {
	const [name = '', anchor] = target.split('#');
	const file = name === '' ? from : path.join(base, name);
	if (!existsSync(file)) return [`Add ${file}, which ${from} cites`];
	if (anchor === undefined || !file.endsWith('.md') || anchorsIn(file).includes(anchor)) return [];
	return [`Add a heading for #${anchor} to ${file}, which ${from} cites`];
}

it('every link in a document leads to an existing file and heading', () => {
	const missing = DOCUMENTS.flatMap((file) => {
		const targets = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
		const own = targets.filter((target) => !/^\w+:/.test(target));
		return own.flatMap((target) => missingFor(file, target, path.dirname(file)));
	});
	expect(missing).toEqual([]);
});

it('every document that a comment cites exists, with the heading', () => {
	const missing = ['nodes', 'credentials', 'test'].flatMap(sourcesIn).flatMap((file) => {
		const targets = read(file).match(/docs\/[\w-]+\.md(#[\w-]+)?/g) ?? [];
		return targets.flatMap((target) => missingFor(file, target, '.'));
	});
	expect(missing).toEqual([]);
});

it('every command and test that a document names exists', () => {
	const commands = findAll(/\bnpm (?:run )?(?:-s )?((?<=run )[a-z][\w:]*|start|test)\b/g);
	expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
	const tests = findAll(/\bjest ((?:test\/[^\s`]+ ?)+)/g).flatMap((names) =>
		names.trim().split(' '),
	);
	const isThere = (name: string) => existsSync(name) || existsSync(`${name}.test.mts`);
	expect(tests.filter((name) => !isThere(name))).toEqual([]);
	expect([commands.length, tests.length].every((count) => count > 5)).toBe(true);
});

it('docs/troubleshooting.md quotes messages of the nodes', () => {
	const code = ['nodes', 'credentials'].flatMap(sourcesIn).map(read).join('\n');
	const rows = read('docs/troubleshooting.md').match(/^\|.*/gm) ?? [];
	// “…” stands for what varies.
	const quoted = rows.flatMap((row) => row.match(/(?<=“)[^”]+/g) ?? []);
	const parts = quoted.flatMap((text) => text.split('…').map((part) => part.trim()));
	expect(parts.length).toBeGreaterThan(5);
	expect(parts.filter((part) => !code.includes(part))).toEqual([]);
});

/** Folders that are part of the repository; others are installed or built. */
function foldersIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && !/^(\.|node_modules|dist|coverage)/.test(entry.name))
		.map(({ name }) => name);
}

it('the architecture says what each folder is for', () => {
	const architecture = read('docs/architecture.md');
	const layers = foldersIn('nodes/EngagementUploads').filter((name) => name !== '__schema__');
	// Those that mirror the product need no row.
	const tests = foldersIn('test').filter((name) => ![...layers, 'credentials'].includes(name));
	const rows = [
		...foldersIn('.').map((name) => (name === 'nodes' ? '`nodes/' : `\`${name}/\``)),
		...tests.map((name) => `\`test/${name}/\``),
	];
	expect(rows.filter((name) => !architecture.includes(name))).toEqual([]);
	const [, drawing = ''] = architecture.split('## Layers');
	expect(layers.filter((name) => !drawing.includes(` ${name} `))).toEqual([]);
});
