import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { request } from 'undici';

let child: ChildProcess | undefined;

afterEach(() => child?.kill('SIGKILL'));

it('as a program, prints what to paste into n8n, serves requests, and stops cleanly', async () => {
	const main = path.resolve('test/support/service/main.mts');
	child = spawn(process.execPath, ['--import', 'tsx', main]);
	let output = '';
	child.stdout?.on('data', (text) => (output += String(text)));
	while (!output.includes('Ctrl+C')) await once(child.stdout ?? child, 'data');
	const shown = (name: string) => new RegExp(`${name} +(\\S+)`).exec(output)?.[1] ?? '';
	const answer = await request(`${shown('Base URL')}/v1/clients/${shown('Client ID')}/uploads`, {
		headers: {
			authorization: `Bearer ${shown('Access Token')}`,
			'ocp-apim-subscription-key': shown('Subscription Key'),
		},
	});
	expect(answer.statusCode).toBe(200);
	expect(await answer.body.json()).toMatchObject({ content: { length: 20 } });
	child.kill('SIGTERM');
	expect(await once(child, 'close')).toEqual([0, null]);
});
