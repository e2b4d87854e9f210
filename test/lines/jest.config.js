/*
 * The tests whose outcome may depend on the line of n8n, once for each older line: nodes,
 * credential and tests see its n8n-workflow, the harness its n8n-core. The newest line is the root's
 * own n8n, against which `npm test` runs all tests. `--selectProjects 1.123` picks one.
 */
const { readdirSync } = require('node:fs');
const path = require('node:path');
const { maxWorkers, testTimeout, workerIdleMemoryLimit, ...root } = require('../../jest.config.js');

const LINES = readdirSync(__dirname).filter((name) => /^\d/.test(name));
const SUITES = ['actions', 'transport', 'credentials', 'trigger', 'hardening', 'support/engine'];
/** Tests without n8n, or with the same result in every line. */
const SAME_EVERYWHERE = [
	'hardening/soak',
	'hardening/inputs',
	'hardening/responses',
	'trigger/costs',
	'trigger/histories',
];

function projectOf(line) {
	return {
		displayName: line,
		rootDir: path.resolve(__dirname, '../..'),
		globals: { N8N_LINE: line },
		testEnvironment: path.join(__dirname, 'environment.js'),
		moduleNameMapper: root.moduleNameMapper,
		testMatch: SUITES.map((suite) => `<rootDir>/test/${suite}/**/*.test.mts`),
		testPathIgnorePatterns: SAME_EVERYWHERE.map((file) => `<rootDir>/test/${file}`),
		modulePathIgnorePatterns: root.modulePathIgnorePatterns,
		moduleFileExtensions: root.moduleFileExtensions,
		transform: root.transform,
	};
}

/** @type {import('jest').Config} */
module.exports = {
	projects: LINES.map(projectOf),
	reporters: ['default', path.join(__dirname, 'reporter.js')],
	maxWorkers,
	testTimeout,
	workerIdleMemoryLimit,
};
