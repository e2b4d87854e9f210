/*
 * Four kinds of tests: `package` builds the package and tests it. The others are told apart by what
 * they import: `unit` tests functions, `engine` runs the nodes in n8n's engine or against the simulated
 * service, and `properties` plays random sequences of what may happen. `npx jest --selectProjects unit`
 * runs one of them.
 */
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const path = require('node:path');

const TESTS = path.join(__dirname, 'test');
/** The real n8n has a configuration of its own. */
const OTHER = ['n8n', 'oldest'];
const ENGINE = ['engine/', 'service/http.mts'].map((name) => path.join(TESTS, 'support', name));

/** Builds the package. */
const PACKAGE = path.join(TESTS, 'package.test.mts');

/** Plays whole polls of the trigger. */
const HISTORIES = path.join(TESTS, 'trigger/histories/');

const options = {
	testEnvironment: '<rootDir>/test/environment.js',
	setupFiles: ['<rootDir>/test/support/time/seeded.mts'],
	moduleNameMapper: {
		'^n8n-workflow$': '<rootDir>/test/n8nWorkflow.js',
		'^fast-check$': '<rootDir>/test/fastCheck.js',
	},
	modulePathIgnorePatterns: ['/\\.installed/'],
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'json', 'node'],
	transform: {
		'^.+\\.m?ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
				sourceMaps: 'inline',
			},
		],
	},
};

/** A file and all files that it imports, itself or through others, except for types. */
function withImports(file, found = new Set()) {
	if (found.has(file) || !existsSync(file)) return found;
	found.add(file);
	const code = readFileSync(file, 'utf8').replace(/^(import|export) type [^;]*;/gm, '');
	for (const [, name] of code.matchAll(/ from '(\..+\.mts)'/g))
		withImports(path.join(path.dirname(file), name), found);
	return found;
}

function findKind(file) {
	if (file === PACKAGE) return 'package';
	const files = [...withImports(file)];
	const isRandom = (each) =>
		each.startsWith(HISTORIES) || readFileSync(each, 'utf8').includes('asyncProperty(');
	if (files.some(isRandom)) return 'properties';
	const needsEngine = files.some((each) => ENGINE.some((start) => each.startsWith(start)));
	return needsEngine ? 'engine' : 'unit';
}

/** Without those of the folders that hold a whole n8n, which would take seconds to list. */
const files = readdirSync(TESTS)
	.filter((name) => !OTHER.includes(name))
	.flatMap((name) => {
		const entry = path.join(TESTS, name);
		if (!statSync(entry).isDirectory()) return [entry];
		return readdirSync(entry, { recursive: true }).map((inner) => path.join(entry, inner));
	})
	.filter((file) => file.endsWith('.test.mts'));

/** @type {import('jest').Config} */
module.exports = {
	projects: ['package', 'unit', 'engine', 'properties'].map((kind) => ({
		...options,
		displayName: kind,
		testMatch: files.filter((file) => findKind(file) === kind),
	})),
	// Only a test that hangs takes this long, however busy the machine is.
	testTimeout: 300_000,
	maxWorkers: 2,
	testSequencer: '<rootDir>/test/sequencer.js',
	// A worker keeps what each file has loaded, including n8n, and slows down. Replace it at this size.
	workerIdleMemoryLimit: '400MB',
};
