/** The commands, tests and messages that documents name exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { runInNewContext } from 'node:vm';

const { engines, scripts }: { engines: { node: string }; scripts: Record<string, string> } =
	JSON.parse(readFileSync('package.json', 'utf8'));
const OLDEST = engines.node.replace('>=', '');

const read = (file: string) => readFileSync(file, 'utf8');
const documents = ['.', 'docs'].flatMap((folder) =>
	readdirSync(folder)
		.filter((name) => name.endsWith('.md'))
		.map((name) => read(path.join(folder, name))),
);
const findAll = (pattern: RegExp) =>
	documents.flatMap((text) => [...text.matchAll(pattern)].map(([, found = '']) => found));

it('every command in a document is one of package.json', () => {
	const named = findAll(/\bnpm (?:run )?(?:-s )?((?<=run )[a-z][\w:]*|start|test)\b/g);
	expect(named.length).toBeGreaterThan(20);
	expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

it('CONTRIBUTING.md says what each command is for', () => {
	const [, table = ''] = read('CONTRIBUTING.md').split('## Commands');
	// n8n's release command runs it.
	const own = Object.keys(scripts).filter((name) => name !== 'prepublishOnly');
	const named = [...table.matchAll(/`npm (?:run )?([\w:]+)/g)].map(([, name]) => name);
	expect(own.filter((name) => !named.includes(name))).toEqual([]);
});

it('every test that a document names exists', () => {
	const named = findAll(/\bjest ((?:test\/\S+ ?)+)/g).flatMap((paths) => paths.trim().split(' '));
	expect(named.length).toBeGreaterThan(5);
	const isThere = (name: string) => existsSync(name) || existsSync(`${name}.test.mts`);
	expect(named.map((name) => name.replace(/`.*/, '')).filter((name) => !isThere(name))).toEqual([]);
});

it('the messages in docs/troubleshooting.md are those of the nodes', () => {
	const sources = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
			.map((file) => read(path.join(folder, file))),
	);
	const code = sources.join('\n');
	const rows = read('docs/troubleshooting.md').match(/^\|.*/gm) ?? [];
	const quoted = rows.flatMap((row) =>
		[...row.matchAll(/“([^”]+)”/g)].map(([, text = '']) => text),
	);
	// “…” stands for what varies.
	const parts = quoted.flatMap((text) => text.split('…').map((part) => part.trim()));
	expect(parts.length).toBeGreaterThan(5);
	expect(parts.filter((part) => !code.includes(part))).toEqual([]);
});

it('CI runs the tests and the demo as the documents say', () => {
	expect(read('README.md')).toContain('npm test');
	expect(read('.ci/run')).toMatch(/^suite '.*' npm test$/m);
	expect(read('.ci/run')).toMatch(/^step '.*' npm run demo$/m);
});

/** Runs test/checkNode.js as if Node.js were of another version; a new process would take longer. */
function checkNode(version: string) {
	const file = 'test/checkNode.js';
	const result = { status: 0, stderr: '' };
	const own = {
		versions: { node: version },
		exit: (status: number) => Object.assign(result, { status }),
	};
	const log = { error: (text: string) => (result.stderr += `${text}\n`) };
	const scope = { process: own, console: log, require: createRequire(path.resolve(file)) };
	runInNewContext(read(file), scope);
	return result;
}

test.each(['0.10.48', '18.20.8', '20.18.3'])('Node.js %s gets one sentence', (version) => {
	const { status, stderr } = checkNode(version);
	expect(status).toBe(1);
	expect(stderr).toMatch(new RegExp(`^This needs Node.js ${OLDEST} or later.*${version}.*\\n$`));
});

test.each([`${OLDEST}.0`, '22.0.0', '100.1.0'])('Node.js %s is accepted', (version) => {
	expect(checkNode(version)).toEqual({ status: 0, stderr: '' });
});
