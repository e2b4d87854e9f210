/** The commands that the documents name exist, and do what the README says. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { runInNewContext } from 'node:vm';

const { engines, scripts }: { engines: { node: string }; scripts: Record<string, string> } =
	JSON.parse(readFileSync('package.json', 'utf8'));
const README = readFileSync('README.md', 'utf8');
const OLDEST = engines.node.replace('>=', '');

/** The commands of the README's first code block, without comments. */
function firstCommands(): string[] {
	const [, block = ''] = /```sh\n(.*?)```/s.exec(README) ?? [];
	const lines = block.split('\n').map((line) => line.replace(/#.*/, '').trim());
	return lines.filter((line) => line !== '');
}

/** What .ci/run passes to its steps and suites, in order. */
function stepsOfCi(): string[] {
	const steps = readFileSync('.ci/run', 'utf8').matchAll(/^(?:step|suite) '[^']+' (.+)$/gm);
	return [...steps].map(([, command = '']) => command.replace(/^twice | \|\| exit$/g, ''));
}

/** Runs a file as if Node.js were of another version; a new process would take longer. */
function runIn(version: string, file: string) {
	const result = { status: 0, stderr: '' };
	const own = {
		versions: { node: version },
		exit: (status: number) => Object.assign(result, { status }),
	};
	const log = { error: (text: string) => (result.stderr += `${text}\n`) };
	const scope = { process: own, console: log, require: createRequire(path.resolve(file)) };
	runInNewContext(readFileSync(file, 'utf8'), scope);
	return result;
}

it('the README begins with the commands for the demo, the tests and n8n', () => {
	expect(README.indexOf('```sh')).toBeLessThan(README.indexOf('\n## '));
	const starts = firstCommands().slice(-3);
	expect(starts).toEqual(['npm ci && npm run demo', 'npm ci && npm test', 'npm ci && npm start']);
	expect(scripts).toMatchObject({
		demo: expect.any(String),
		test: expect.any(String),
		start: expect.any(String),
	});
});

it(".ci/run runs the README's commands for the tests and the demo", () => {
	const wanted = firstCommands().slice(-3, -1);
	for (const command of wanted.flatMap((line) => line.split(' && ')))
		expect(stepsOfCi()).toContain(command);
});

it('every command in a document is one of package.json', () => {
	const documents = [
		...readdirSync('.').filter((name) => name.endsWith('.md')),
		...readdirSync('docs')
			.filter((name) => name.endsWith('.md'))
			.map((name) => path.join('docs', name)),
	];
	const named = documents.flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/\bnpm (?:run )?(?:-s )?([a-z][\w:]*)/g)]
			.filter(([text, name = '']) => text.includes(' run ') || /^(start|test)$/.test(name))
			.map(([, name]) => name),
	);
	expect(named.length).toBeGreaterThan(20);
	expect(named.filter((name = '') => scripts[name] === undefined)).toEqual([]);
});

it('the documents name the oldest Node.js of package.json', () => {
	expect(README).toContain(`Node.js ${OLDEST}`);
	expect(readFileSync('CONTRIBUTING.md', 'utf8')).toContain(`Node.js ${OLDEST}`);
});

test.each(['demo', 'test', 'start', 'service', 'build', 'test:unit'])(
	'npm run %s checks the version of Node.js first',
	(name) => {
		const first = (command = ''): string => {
			const [own = ''] = command.split(' && ');
			const [, other] = /^npm run (\S+)/.exec(own) ?? [];
			return other === undefined ? own : first(scripts[other]);
		};
		expect(first(scripts[name])).toBe('node test/checkNode.js');
	},
);

test.each(['0.10.48', '18.20.8', '20.18.3'])('Node.js %s gets one sentence', (version) => {
	const { status, stderr } = runIn(version, 'test/checkNode.js');
	expect(status).toBe(1);
	expect(stderr).toMatch(new RegExp(`^This needs Node.js ${OLDEST} or later.*${version}.*\\n$`));
});

test.each([`${OLDEST}.0`, '22.0.0', '100.1.0'])('Node.js %s is accepted', (version) => {
	expect(runIn(version, 'test/checkNode.js')).toEqual({ status: 0, stderr: '' });
});
