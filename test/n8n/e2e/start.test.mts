/** `npm start`: “Start here” stands on top, works, and leads to the others. */
import { readdirSync } from 'node:fs';
import { cleanEnvironment } from '../process/command.mts';
import { freePort } from '../process/ports.mts';
import { Program } from '../process/program.mts';
import { OWNER } from '../process/sandbox.mts';
import { MANUAL } from '../workflows/nodes.mts';
import { Rest } from '../workflows/rest.mts';
import { listRecords, template } from './setup.mts';

const EXAMPLES = readdirSync('examples').filter((name) => name.endsWith('.json')).length;

test('n8n starts with all examples and “Start here”, which leads to them', async () => {
	const port = await freePort();
	const line = [process.execPath, '--import', 'tsx', 'test/n8n/start/main.mts', `--port=${port}`];
	const { folder } = template();
	const where = { folder, env: cleanEnvironment(), cwd: process.cwd() };
	const started = new Program({ name: 'npm-start', line, ...where });
	try {
		await started.ready(() => started.log.includes('Ctrl+C stops'));
		const rest = new Rest(`http://127.0.0.1:${port}`);
		await rest.logIn(OWNER.email, OWNER.password);
		const [first, ...others] = await rest.workflows();
		expect([first?.name, others.length]).toEqual(['Start here', EXAMPLES]);
		const { nodes } = await rest.workflow(first?.id ?? '');
		const text = nodes.map(({ parameters }) => String(parameters.content ?? '')).join('\n');
		const links = [...text.matchAll(/\[([^\]]+)\]\([^)]*\/workflow\/(\w+)\)/g)];
		expect(links.length).toBeGreaterThan(3);
		for (const [, name, id] of links)
			expect(others).toContainEqual(expect.objectContaining({ id, name }));
		const execution = await rest.run(first?.id ?? '', MANUAL);
		expect(listRecords(execution, 'Get Data Status').length).toBeGreaterThan(1);
	} finally {
		await started.stop();
	}
});
