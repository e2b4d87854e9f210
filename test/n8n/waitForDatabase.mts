/*
 * Loaded into every n8n process that is started here. Makes it wait for a locked database. Several
 * processes share one SQLite file here (workers, commands), and by default each gives up after a
 * second, with SQLITE_BUSY, which is not long enough on a busy machine.
 */
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const BUSY_TIMEOUT_MS = 120_000;

/** The part of the database driver that is used here. */
interface Driver {
	Database: new (...args: unknown[]) => { configure(option: 'busyTimeout', value: number): void };
}

if (isMainThread) {
	// The driver that n8n, the main program of this process, will load.
	const driver: Driver = createRequire(process.argv[1] ?? '')('sqlite3');
	driver.Database = class extends driver.Database {
		constructor(...args: unknown[]) {
			super(...args);
			this.configure('busyTimeout', BUSY_TIMEOUT_MS);
		}
	};
}
