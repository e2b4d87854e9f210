/** What is in the package; test/n8n installs and loads it. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

import { ensureBuilt } from './n8n/process/community.mts';

/** Everything that may be in the package. */
const ALLOWED =
	/^(package\.json|README\.md|LICENSE|dist\/(nodes|credentials)\/.+(?<!\.test)\.(js|json|svg))$/;
const MAX_BYTES = 150_000;

interface Manifest {
	n8n: Record<'nodes' | 'credentials', string[]>;
	dependencies?: object;
}

it('contains all that n8n looks for, and nothing else', async () => {
	await ensureBuilt(() => undefined);
	const printed = execFileSync('npm', ['pack', '--dry-run', '--json'], {
		encoding: 'utf8',
		stdio: 'pipe',
	});
	const [packed] = JSON.parse(printed) as [{ size: number; files: Array<{ path: string }> }];
	const { n8n, dependencies }: Manifest = JSON.parse(readFileSync('package.json', 'utf8'));
	// Icons, codex files and output previews.
	const assets = readdirSync('nodes', { recursive: true, encoding: 'utf8' })
		.filter((name) => /\.(json|svg)$/.test(name))
		.map((name) => `dist/nodes/${name}`);
	const needed = ['README.md', 'LICENSE', ...n8n.nodes, ...n8n.credentials, ...assets];
	const contents = packed.files.map((file) => file.path);
	expect(needed.filter((name) => !contents.includes(name))).toEqual([]);
	expect(contents.filter((name) => !ALLOWED.test(name))).toEqual([]);
	expect(packed.size).toBeLessThan(MAX_BYTES);
	expect(dependencies).toBeUndefined();
});
