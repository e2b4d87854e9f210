/* Loaded into every n8n process that is started here. */
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { TIME_TO_STOP } from './waitFor.mts';

const BUSY_TIMEOUT_MS = 120_000;

/** The part of the database driver that is used here. */
interface Driver {
	Database: new (...args: unknown[]) => { configure(option: 'busyTimeout', value: number): void };
}

/**
 * Ends n8n when the process that started it is gone, for whatever reason, since that closes n8n's
 * standard input. Nothing is left running.
 */
function exitWithParent(): void {
	process.stdin.once('close', () => {
		process.kill(process.pid, 'SIGTERM');
		setTimeout(() => process.kill(process.pid, 'SIGKILL'), TIME_TO_STOP).unref();
	});
	process.stdin.resume();
	// Still lets a command such as `n8n execute` end when it is done.
	if ('unref' in process.stdin && typeof process.stdin.unref === 'function') process.stdin.unref();
}

/**
 * Makes n8n wait for a locked database. A command uses the SQLite file of a running n8n, and by
 * default each gives up after a second, with SQLITE_BUSY, which is too soon on a busy machine.
 */
function waitForDatabase(): void {
	// The driver that n8n, the main program of this process, will load.
	const driver: Driver = createRequire(process.argv[1] ?? '')('sqlite3');
	driver.Database = class extends driver.Database {
		constructor(...args: unknown[]) {
			super(...args);
			this.configure('busyTimeout', BUSY_TIMEOUT_MS);
		}
	};
}

if (isMainThread) {
	exitWithParent();
	waitForDatabase();
}
