/** The package as users install it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { EngagementUploadsApi } from '../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploads } from '../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { ensureBuilt } from './n8n/process/community.mts';

const NAME = 'n8n-nodes-engagement-uploads';
/** Everything that may be in the package. */
const ALLOWED =
	/^(package\.json|README\.md|LICENSE|dist\/(nodes|credentials)\/.+(?<!\.test)\.(js|json|svg))$/;
const MAX_BYTES = 150_000;

/** Run where the package is installed: prints what it exports. */
const LOAD = `
	const path = require('node:path');
	const manifest = require.resolve('${NAME}/package.json');
	const { n8n } = require(manifest);
	const typesIn = (files) =>
		files.map((file) => new (Object.values(require(path.join(path.dirname(manifest), file)))[0])());
	const nodes = typesIn(n8n.nodes).map(({ description }) => description);
	console.log(JSON.stringify({ nodes, credentials: typesIn(n8n.credentials) }));
`;

let folder: string;
let home: string;
let packed: { filename: string; size: number; files: Array<{ path: string }> };

/** The command's output; stderr is shown only if it fails. */
function run(command: string, args: string[], cwd: string): string {
	const env = { ...process.env, NODE_PATH: '', NODE_OPTIONS: '' };
	return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

/** Installed as n8n does it with a community package: without peer dependencies, which n8n provides. */
beforeAll(async () => {
	folder = mkdtempSync(path.join(os.tmpdir(), 'packed-'));
	home = path.join(folder, 'installed');
	mkdirSync(home);
	await ensureBuilt(() => undefined);
	const pack = ['pack', '--json', '--pack-destination', folder];
	[packed] = JSON.parse(run('npm', pack, process.cwd())) as [typeof packed];
	const tarball = path.join(folder, packed.filename);
	const quietly = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
	run('npm', ['install', '--prefix', home, '--omit=peer', ...quietly, tarball], home);
	const peer = path.join('node_modules', 'n8n-workflow');
	symlinkSync(path.resolve(peer), path.join(home, peer), 'junction');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('contains all that n8n looks for, and nothing else', () => {
	const { n8n }: { n8n: Record<'nodes' | 'credentials', string[]> } = JSON.parse(
		readFileSync('package.json', 'utf8'),
	);
	// Icons, codex files and output previews.
	const assets = readdirSync('nodes', { recursive: true, encoding: 'utf8' })
		.filter((name) => /\.(json|svg)$/.test(name))
		.map((name) => `dist/nodes/${name}`);
	const needed = ['README.md', 'LICENSE', ...n8n.nodes, ...n8n.credentials, ...assets];
	const contents = packed.files.map((file) => file.path);
	expect(needed.filter((name) => !contents.includes(name))).toEqual([]);
	expect(contents.filter((name) => !ALLOWED.test(name))).toEqual([]);
	expect(packed.size).toBeLessThan(MAX_BYTES);
});

it('loads with only n8n-workflow installed next to it', () => {
	const packages = readdirSync(path.join(home, 'node_modules'));
	expect(packages.filter((name) => !name.startsWith('.')).sort()).toEqual([NAME, 'n8n-workflow']);
	const exported: unknown = JSON.parse(run(process.execPath, ['--eval', LOAD], home));
	const nodes = [new EngagementUploads(), new EngagementUploadsTrigger()];
	const sources = {
		nodes: nodes.map(({ description }) => description),
		credentials: [new EngagementUploadsApi()],
	};
	expect(exported).toEqual(JSON.parse(JSON.stringify(sources)));
});
