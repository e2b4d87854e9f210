const { transform, moduleFileExtensions, testEnvironment } = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	// Only these are crawled: the installed n8n beside them has some 200,000 files.
	roots: ['<rootDir>/test/n8n/e2e'],
	testMatch: ['**/*.test.mts'],
	testTimeout: 180_000,
	maxWorkers: 1,
	transform,
	moduleFileExtensions,
	testEnvironment,
};
