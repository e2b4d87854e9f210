import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { answerWithin } from '../../../nodes/EngagementUploads/transport/exchange.ts';

const LONG = 60_000;
const never = async () => await new Promise<never>(() => {});
const response = (body: unknown, headers = {}) => ({ statusCode: 200, headers, body });

it('ends when the time is up, even if the request does not respect its signal', async () => {
	expect(await answerWithin(20, never)).toMatchObject({ network: 'timeout', timeout: 20 });
});

it('closes the connection of a body that never ends', async () => {
	const body = new Readable({ read() {} });
	body.push('{');
	const answer = await answerWithin(50, async () => response(body));
	expect(answer).toMatchObject({ network: 'timeout', timeout: 50 });
	expect(body.destroyed).toBe(true);
});

it('sends nothing once the execution is cancelled', async () => {
	const send = jest.fn(never);
	const cancelled = AbortSignal.abort(new Error('cancelled'));
	const answer = await answerWithin(LONG, send, { cancelled });
	expect(answer).toEqual({ unreadable: 'cancelled' });
	expect(send).not.toHaveBeenCalled();
});

it('ends all requests of a cancelled execution, without a warning, and leaves no listener', async () => {
	const warnings: Error[] = [];
	const warn = (warning: Error) => warnings.push(warning);
	process.on('warning', warn);
	const execution = new AbortController();
	const requests = Array.from({ length: 64 }, () =>
		answerWithin(LONG, never, { cancelled: execution.signal }),
	);
	await answerWithin(LONG, async () => response('{}'), { cancelled: execution.signal });
	expect(getEventListeners(execution.signal, 'abort').length).toBeLessThan(10);
	execution.abort(new Error('cancelled'));
	const results = await Promise.all(requests);
	expect(results).toEqual(requests.map(() => ({ unreadable: 'cancelled' })));
	await new Promise((resolve) => setImmediate(resolve));
	process.off('warning', warn);
	expect(warnings).toEqual([]);
	expect(getEventListeners(execution.signal, 'abort')).toEqual([]);
});

it('reads text as UTF-8, without a byte order mark', async () => {
	const text = '{"name":"Müller"}';
	const bytes = Buffer.from(`\ufeff${text}`);
	const body = Readable.from([bytes.subarray(0, 14), bytes.subarray(14)]);
	expect(await answerWithin(LONG, async () => response(body))).toMatchObject({ text });
});

it('rejects a response of more than 64 MB, and points to Page Size', async () => {
	let sent = 0;
	const chunk = Buffer.alloc(1024 * 1024, ' ');
	const endless = new Readable({
		read() {
			sent++;
			this.push(chunk);
		},
	});
	const outcome = await answerWithin(LONG, async () => response(endless));
	expect(outcome).toEqual({
		unreadable: 'it is larger than 64 MB',
		advice: 'Decrease Page Size in Options',
	});
	expect(sent).toBeLessThan(80);
	expect(endless.destroyed).toBe(true);
});
