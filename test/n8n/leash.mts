/*
 * Loaded into every n8n that is started here: ends it when whoever started it is gone, however that
 * came about, since then its standard input closes.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
	process.stdin.once('close', () => process.kill(process.pid, 'SIGTERM'));
	process.stdin.resume();
}
