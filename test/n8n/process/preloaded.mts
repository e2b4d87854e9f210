/*
 * Loaded into every n8n that is started here: ends it when the process that started it is gone, for
 * whatever reason, since that closes n8n's standard input. Nothing is left running.
 */
import { isMainThread } from 'node:worker_threads';
import { TIME_TO_STOP } from './waitFor.mts';

if (isMainThread) {
	process.stdin.once('close', () => {
		process.kill(process.pid, 'SIGTERM');
		setTimeout(() => process.kill(process.pid, 'SIGKILL'), TIME_TO_STOP).unref();
	});
	process.stdin.resume();
}
