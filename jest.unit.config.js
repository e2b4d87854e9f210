const { readdirSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const base = require('./jest.config.js');

const FOLDERS = ['values', 'output', 'fields', 'transport', 'actions', 'trigger'];
const HEAVY = ['engine/', 'service/http.mts'].map((name) => join(__dirname, 'test/support', name));

/** Whether a test needs n8n's engine or the simulated service's server, itself or through a helper. */
function isHeavy(file, seen = new Set()) {
	if (HEAVY.some((path) => file.startsWith(path))) return true;
	if (seen.has(file)) return false;
	seen.add(file);
	const imports = readFileSync(file, 'utf8').matchAll(/ from '(\..+\.mts)'/g);
	return [...imports].some(([, name]) => isHeavy(join(dirname(file), name), seen));
}

function unitTests() {
	return FOLDERS.map((folder) => join(__dirname, 'test', folder))
		.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
		.filter((file) => file.endsWith('.test.mts') && !isHeavy(file));
}

/** The tests of the pure parts, for quick feedback while working: no engine and no server. */
module.exports = { ...base, testMatch: unitTests() };
