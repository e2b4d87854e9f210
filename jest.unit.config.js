const { readdirSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const base = require('./jest.config.js');

const FOLDERS = ['values', 'output', 'fields', 'transport', 'trigger'];
const SUPPORT = join(__dirname, 'test/support');

/** Whether a test needs n8n's engine or the simulated service, itself or through a helper. */
function needsSupport(file) {
	if (file.startsWith(SUPPORT)) return true;
	const imports = readFileSync(file, 'utf8').matchAll(/ from '(\..+\.mts)'/g);
	return [...imports].some(([, name]) => needsSupport(join(dirname(file), name)));
}

function unitTests() {
	return FOLDERS.map((folder) => join(__dirname, 'test', folder))
		.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
		.filter((file) => file.endsWith('.test.mts') && !needsSupport(file));
}

/** The tests of the pure parts, for a quick answer while working: no engine and no server. */
module.exports = { ...base, testMatch: unitTests() };
