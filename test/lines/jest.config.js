const path = require('node:path');

const root = path.resolve(__dirname, '../..');
const line = process.env.N8N_LINE;
const modules = path.join(__dirname, '.installed', String(line), 'node_modules');

/**
 * The tests that show what a line of n8n does differently, run against its engine: nodes,
 * credential and tests see the n8n-workflow that the engine sees.
 * @type {import('jest').Config}
 */
module.exports = {
	...require('../../jest.config.js'),
	rootDir: root,
	moduleNameMapper: { '^n8n-workflow$': path.join(modules, 'n8n-workflow') },
	testMatch: ['actions', 'transport', 'credentials', 'trigger', 'support/engine', 'hardening'].map(
		(folder) => `<rootDir>/test/${folder}/**/*.test.mts`,
	),
	coverageThreshold: undefined,
};
