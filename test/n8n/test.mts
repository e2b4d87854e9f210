import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { TEMPLATE_VARIABLE } from './e2e/setup.mts';
import { makeTemplate, removeTemplate, type Template } from './sandbox.mts';

/** Runs the test files, each of which starts an n8n of its own from a copy of the template. */
async function runJest(template: Template): Promise<number> {
	const script = path.resolve('node_modules/jest/bin/jest.js');
	const args = [script, '--config=test/n8n/jest.config.js', ...process.argv.slice(2)];
	const env = { ...process.env, [TEMPLATE_VARIABLE]: JSON.stringify(template) };
	const jest = spawn(process.execPath, args, { env, stdio: 'inherit' });
	// Ctrl+C also reaches jest: what it started ends with it, and the folders are removed here.
	process.on('SIGINT', () => undefined);
	process.on('SIGTERM', () => jest.kill('SIGTERM'));
	await once(jest, 'exit');
	return jest.exitCode ?? 1;
}

async function main(): Promise<void> {
	const template = await makeTemplate((text) => console.log(text));
	try {
		process.exitCode = await runJest(template);
	} finally {
		removeTemplate(template);
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
