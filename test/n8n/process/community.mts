import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { environmentWith, NPM_FLAGS, type Installation } from './install.mts';
import { runCommand, type Print } from './command.mts';

/** The package's name, also the prefix of its node types in n8n. */
export const PACKAGE = 'n8n-nodes-engagement-uploads';

/** Builds the package if the source has changed since it was built. */
export async function ensureBuilt(print: Print): Promise<void> {
	const source = ['nodes', 'credentials', 'package.json', 'tsconfig.json'].map(newestIn);
	if (newestIn('dist') > Math.max(...source)) return;
	print('Building the package …');
	await runCommand('npm', ['run', 'build']);
}

/**
 * Packs this package as for publishing, and installs it into a user folder of n8n as the community
 * nodes page does, in place of an earlier one.
 */
export async function installPackage(
	userFolder: string,
	{ node }: Installation,
	print: Print,
): Promise<void> {
	await ensureBuilt(print);
	print('Installing the package into n8n …');
	const folder = path.join(userFolder, '.n8n/nodes');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const printed = await runCommand('npm', ['pack', '--json', '--pack-destination', folder]);
	const [packed]: Array<{ filename: string }> = JSON.parse(printed);
	if (packed === undefined) throw new Error('npm pack did not create a package');
	const manifest = path.join(folder, 'package.json');
	writeFileSync(manifest, '{ "name": "installed-nodes", "private": true }');
	// It has no dependencies, so nothing is downloaded.
	const flags = ['--ignore-scripts', '--omit=peer', '--offline', ...NPM_FLAGS];
	const options = { cwd: folder, env: environmentWith(node) };
	await runCommand('npm', ['install', ...flags, packed.filename], options);
}

/** When the newest file in a folder was written (epoch ms); 0 if there is none. */
function newestIn(place: string): number {
	const stats = statSync(place, { throwIfNoEntry: false });
	if (stats === undefined) return 0;
	if (!stats.isDirectory()) return stats.mtimeMs;
	const files = readdirSync(place, { recursive: true, encoding: 'utf8' });
	return Math.max(0, ...files.map((name) => statSync(path.join(place, name)).mtimeMs));
}
