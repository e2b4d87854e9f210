import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { TEMPLATE_VARIABLE } from './e2e/setup.mts';
import { makeTemplate, removeFolder } from './process/sandbox.mts';

/** The groups of test files, such as `core,main`, and what else is for jest. */
const [groups = '', ...rest] = process.argv.slice(2);
const template = await makeTemplate((text) => console.log(text));
const script = path.resolve('node_modules/jest/bin/jest.js');
const chosen = ['--selectProjects', ...groups.split(',')];
const args = [script, ...chosen, '--config=test/n8n/jest.config.js', ...rest];
const env = { ...process.env, [TEMPLATE_VARIABLE]: JSON.stringify(template) };
// Runs the test files, each of which starts an n8n of its own from a copy of the template.
const jest = spawn(process.execPath, args, { env, stdio: 'inherit' });
// Ctrl+C also reaches jest: what it started ends with it, and the folder is removed here.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => jest.kill('SIGTERM'));
await once(jest, 'exit');
process.exitCode = jest.exitCode ?? 1;
removeFolder(template.folder);
