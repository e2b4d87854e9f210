/** The package as users install it; `npm run pack:check` says what it contains. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { EngagementUploadsApi } from '../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploads } from '../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';

const NAME = 'n8n-nodes-engagement-uploads';

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

/** The command's output; stderr is shown only if it fails. */
function run(command: string, args: string[], cwd: string): string {
	const env = { ...process.env, NODE_PATH: '', NODE_OPTIONS: '' };
	return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

/** As n8n installs a community package: without peer dependencies, which n8n provides. */
beforeAll(() => {
	folder = mkdtempSync(path.join(os.tmpdir(), 'packed-'));
	home = path.join(folder, 'installed');
	mkdirSync(home);
	const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], process.cwd());
	const tarball = path.join(folder, packed.trim());
	const quietly = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
	run('npm', ['install', '--prefix', home, '--omit=peer', ...quietly, tarball], home);
	const peer = path.join('node_modules', 'n8n-workflow');
	symlinkSync(path.resolve(peer), path.join(home, peer), 'junction');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
