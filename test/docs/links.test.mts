import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCES = ['nodes', 'credentials', 'test'];
const DOCUMENTS = ['.', 'docs', 'examples'].flatMap(markdownIn);

/** A link to a file of this repository, and where it is. */
interface Link {
	from: string;
	file: string;
	anchor?: string;
}

function markdownIn(folder: string): string[] {
	const files = readdirSync(folder).filter((name) => name.endsWith('.md'));
	return files.map((name) => path.join(folder, name));
}

function linkOf(from: string, target: string, base: string): Link {
	const [file = '', anchor] = target.split('#');
	return { from, file: file === '' ? from : path.join(base, file), anchor };
}

function linksInDocument(file: string): Link[] {
	const links = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)];
	const targets = links.map(([, target = '']) => target).filter((target) => !/^\w+:/.test(target));
	return targets.map((target) => linkOf(file, target, path.dirname(file)));
}

function linksInSource(file: string): Link[] {
	const links = readFileSync(file, 'utf8').matchAll(/docs\/[\w-]+\.md(#[\w-]+)?/g);
	return [...links].map(([target]) => linkOf(file, target, '.'));
}

function sources(): string[] {
	return SOURCES.flatMap(filesIn).filter((file) => /\.m?ts$/.test(file));
}

/** All files, except in hidden folders, which hold whole installations of n8n. */
function filesIn(folder: string): string[] {
	const entries = readdirSync(folder, { withFileTypes: true });
	return entries
		.filter(({ name }) => !/^(\.|node_modules)/.test(name))
		.flatMap((entry) => {
			const file = path.join(folder, entry.name);
			return entry.isDirectory() ? filesIn(file) : file;
		});
}

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(file: string): string[] {
	const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)];
	return headings.map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\w\- ]/g, '')
			.replaceAll(' ', '-'),
	);
}

/** What to add for a link that leads nowhere. */
function missingFor({ from, file, anchor }: Link): string[] {
	if (!existsSync(file)) return [`Add ${file}, which ${from} cites`];
	if (anchor === undefined || !file.endsWith('.md') || anchorsOf(file).includes(anchor)) return [];
	return [`Add a heading for #${anchor} to ${file}, which ${from} cites`];
}

it('every link in a document leads to an existing file and heading', () => {
	const links = DOCUMENTS.flatMap(linksInDocument);
	expect(links.length).toBeGreaterThan(0);
	expect(links.flatMap(missingFor)).toEqual([]);
});

it('every document that a comment cites exists, with the heading', () => {
	const links = sources().flatMap(linksInSource);
	expect(links.length).toBeGreaterThan(0);
	expect(links.flatMap(missingFor)).toEqual([]);
});
