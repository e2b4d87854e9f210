/** The types of the product and of the tests, checked beside the other tests, since that takes long. */
import path from 'node:path';

import { runCommand } from './n8n/process/command.mts';

it('are correct', async () => {
	const compiler = path.resolve('node_modules/typescript/bin/tsc');
	await runCommand(process.execPath, [compiler, '--noEmit', '--project', 'test']);
});
