/** What documents and comments name exists: files, headings, commands, tests and messages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const read = (file: string) => readFileSync(file, 'utf8');

/** Files with an ending in a folder and below, except in hidden folders, which hold whole installations of n8n. */
function filesIn(folder: string, ending: RegExp): string[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter(({ name }) => !/^(\.|node_modules)/.test(name))
		.flatMap((entry) => {
			const file = path.join(folder, entry.name);
			return entry.isDirectory() ? filesIn(file, ending) : file;
		})
		.filter((file) => ending.test(file));
}

const documents = filesIn('.', /\.md$/);
const product = ['nodes', 'credentials'].flatMap((folder) => filesIn(folder, /\.ts$/));
const sources = [...product, ...filesIn('test', /\.mts$/)];

/** What the first group of a pattern matches in a file. */
function findAll(file: string, pattern: RegExp): string[] {
	return [...read(file).matchAll(pattern)].map(([, found = '']) => found);
}

/** The anchors that GitHub gives to the headings of a document. */
function anchorsIn(file: string): string[] {
	const headings = findAll(file, /^#+ (.+)$/gm);
	return headings.map((text) =>
		text
			.toLowerCase()
			.replace(/[^\w\- ]/g, '')
			.replaceAll(' ', '-'),
	);
}

/** The targets that do not exist, with the file that cites them. */
function findBroken(from: string, targets: string[], base: string): string[] {
	const isBroken = (target: string) => {
		const [name = '', anchor] = target.split('#');
		const file = name === '' ? from : path.join(base, name);
		return !existsSync(file) || (anchor !== undefined && !anchorsIn(file).includes(anchor));
	};
	return targets.filter(isBroken).map((target) => `${target} in ${from}`);
}

it('every link in a document leads to a file and heading', () => {
	const broken = documents.flatMap((file) => {
		const targets = findAll(file, /(?:\]\(|src=")(?!\w+:)([^)"\s]+)/g);
		return findBroken(file, targets, path.dirname(file));
	});
	expect(broken).toEqual([]);
});

it('every document that a comment cites exists, with the heading', () => {
	const cited = /(docs\/[\w-]+\.md(?:#[\w-]+)?)/g;
	expect(sources.flatMap((file) => findBroken(file, findAll(file, cited), '.'))).toEqual([]);
});

it('every command and test that a document names exists', () => {
	const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
	const find = (pattern: RegExp) => documents.flatMap((file) => findAll(file, pattern));
	const commands = find(/\bnpm (?:run )?(?:-s )?((?<=run )[a-z][\w:]*|start|test)\b/g);
	expect(commands.filter((name) => scripts[name] === undefined)).toEqual([]);
	const tests = find(/[ `](test\/[\w./]+)/g);
	const exists = (name: string) => existsSync(name) || existsSync(`${name}.test.mts`);
	expect(tests.filter((name) => !exists(name))).toEqual([]);
});

it('docs/troubleshooting.md quotes messages of the nodes', () => {
	const code = product.map(read).join('\n');
	const quoted = findAll('docs/troubleshooting.md', /“([^”]+)”/g);
	expect(quoted.filter((text) => !code.includes(text))).toEqual([]);
});
