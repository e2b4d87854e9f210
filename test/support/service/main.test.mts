import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { request } from 'undici';
import { startService } from './http.mts';

const running: ChildProcess[] = [];

afterEach(() => {
	for (const child of running.splice(0)) child.kill('SIGKILL');
});

function start(port: string): { child: ChildProcess; output: () => string } {
	const main = path.resolve('test/support/service/main.mts');
	const child = spawn(process.execPath, ['--import', 'tsx', main, '--port', port]);
	running.push(child);
	let output = '';
	child.stdout?.on('data', (text) => (output += String(text)));
	child.stderr?.on('data', (text) => (output += String(text)));
	return { child, output: () => output };
}

describe('the service as a program', () => {
	it('prints what to paste into n8n, serves requests, and stops cleanly', async () => {
		const { child, output } = start('0');
		while (!output().includes('Ctrl+C')) await once(child.stdout ?? child, 'data');
		const shown = (name: string) => new RegExp(`${name} +(\\S+)`).exec(output())?.[1] ?? '';
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

	it('reports a port that is taken or invalid', async () => {
		const service = await startService();
		const taken = start(new URL(service.url).port);
		const none = start('http');
		const exits = await Promise.all([once(taken.child, 'close'), once(none.child, 'close')]);
		await service.close();
		expect(exits).toEqual([
			[1, null],
			[1, null],
		]);
		expect(taken.output()).toMatch(/^The port is taken/);
		expect(none.output()).toMatch(/^--port must be a number/);
	});
});
