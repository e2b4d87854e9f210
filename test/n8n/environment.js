const { readdirSync, readFileSync, statSync } = require('node:fs');
const path = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

const LINES = 40;

/** Prints the end of all logs when a test or a hook fails: the reason is often found there. */
module.exports = class extends TestEnvironment {
	handleTestEvent({ name }) {
		if (name === 'test_fn_failure' || name === 'hook_failure') printLogs();
	}
};

function printLogs() {
	for (const file of logFiles()) {
		const lines = readFileSync(file, 'utf8').trim().split('\n').slice(-LINES).join('\n');
		process.stderr.write(`\nThe end of ${file}:\n${lines}\n\n`);
	}
}

/** The logs of every n8n, each in a folder of its own (see setup.mts). */
function logFiles() {
	const { folder } = JSON.parse(process.env.ENGAGEMENT_UPLOADS_N8N_TEMPLATE);
	const folders = [folder, ...readdirSync(folder).map((name) => path.join(folder, name))];
	return folders
		.filter((place) => statSync(place).isDirectory())
		.flatMap((place) => readdirSync(place).map((name) => path.join(place, name)))
		.filter((file) => file.endsWith('.log'));
}
