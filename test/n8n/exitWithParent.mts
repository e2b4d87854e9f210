/*
 * Loaded into every n8n process that is started here. Ends it when the process that started it is
 * gone, for whatever reason, since that closes its standard input. Nothing is left running.
 */
import { isMainThread } from 'node:worker_threads';

const TIME_TO_STOP = 60_000;

function exit(): void {
	process.kill(process.pid, 'SIGTERM');
	setTimeout(() => process.kill(process.pid, 'SIGKILL'), TIME_TO_STOP).unref();
}

if (isMainThread) {
	process.stdin.once('close', exit);
	process.stdin.resume();
	// Still lets a command such as `n8n execute` end when it is done.
	if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref();
}
