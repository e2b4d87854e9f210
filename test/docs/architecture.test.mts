import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Folders that are part of the repository; others are installed, built or an editor's. */
function foldersIn(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && /^(\.ci|\.github|[^.].*)$/.test(entry.name))
		.map(({ name }) => name)
		.filter((name) => !['node_modules', 'dist', 'coverage'].includes(name));
}

it('the architecture says what each folder is for', () => {
	const text = readFileSync('docs/architecture.md', 'utf8');
	const layers = foldersIn('nodes/EngagementUploads');
	// Those that mirror the product need no row.
	const tests = foldersIn('test').filter((name) => ![...layers, 'credentials'].includes(name));
	const named = [
		...foldersIn('.').map((name) =>
			name === 'nodes' ? '`nodes/EngagementUploads/`' : `\`${name}/\``,
		),
		...tests.map((name) => `\`test/${name}/\``),
	];
	expect(named.filter((name) => !text.includes(name))).toEqual([]);
	const [, drawing = ''] = text.split('## Layers');
	expect(layers.filter((name) => name !== '__schema__' && !drawing.includes(` ${name} `))).toEqual(
		[],
	);
});

it('every file begins with a comment that says what it is for', () => {
	const files = readdirSync('nodes/EngagementUploads', { recursive: true, encoding: 'utf8' })
		// The descriptions of the nodes say it themselves.
		.filter((name) => name.endsWith('.ts') && !name.endsWith('.node.ts'))
		.map((name) => path.join('nodes/EngagementUploads', name));
	expect(files.length).toBeGreaterThan(50);
	expect(files.filter((file) => !readFileSync(file, 'utf8').startsWith('/**'))).toEqual([]);
});
