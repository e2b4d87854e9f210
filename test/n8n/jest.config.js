/*
 * Three groups of test files, of which test.mts chooses: `core` is the package in n8n, `main` the
 * examples that every commit's checks run, and `examples` all others.
 */
const path = require('node:path');

const {
	projects: [{ transform, moduleFileExtensions }],
} = require('../../jest.config.js');

const MAIN = '**/mainExamples.test.mts';
const EXAMPLES = '**/*[eE]xamples.test.mts';

const options = {
	rootDir: path.resolve(__dirname, '../..'),
	// Crawls only these: the installed n8n next to them has some 200,000 files.
	roots: ['<rootDir>/test/n8n/e2e'],
	testEnvironment: '<rootDir>/test/n8n/environment.js',
	transform,
	moduleFileExtensions,
};

/** @type {import('jest').Config} */
module.exports = {
	rootDir: options.rootDir,
	projects: [
		{ ...options, displayName: 'core', testMatch: ['**/*.test.mts', `!${EXAMPLES}`] },
		{ ...options, displayName: 'main', testMatch: [MAIN] },
		{ ...options, displayName: 'examples', testMatch: [EXAMPLES, `!${MAIN}`] },
	],
	// Ends only tests that would never finish: they wait for conditions, however long that takes.
	testTimeout: 3_600_000,
	// The tests of the trigger spend most of their time waiting for polls.
	maxWorkers: 3,
	testSequencer: '<rootDir>/test/sequencer.js',
	// An n8n that a failed test leaves behind ends with this process.
	forceExit: true,
};
