const {
	projects: [{ transform, moduleFileExtensions }],
} = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	// Crawls only these: the installed n8n next to them has some 200,000 files.
	roots: ['<rootDir>/test/n8n/e2e'],
	testMatch: ['**/*.test.mts'],
	testEnvironment: '<rootDir>/test/n8n/environment.js',
	// Ends only tests that would never finish: they wait for conditions, however long that takes.
	testTimeout: 3_600_000,
	// Most of the time is spent waiting for polls, so two files at once take half as long.
	maxWorkers: 2,
	// An n8n that a failed test leaves behind ends with this process.
	forceExit: true,
	transform,
	moduleFileExtensions,
};
