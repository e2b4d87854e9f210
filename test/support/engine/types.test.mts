import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { runNode } from './run.mts';
import { typesOfPackage } from './types.mts';

const NODE = `
exports.Echo = class {
	description = {
		name: 'echo', displayName: 'Echo', group: [], version: [1, 2], description: '',
		defaults: { name: 'Echo' }, inputs: ['main'], outputs: ['main'],
		properties: [{ displayName: 'Word', name: 'word', type: 'string', default: 'hello' }],
	};
	async execute() {
		const { typeVersion } = this.getNode();
		return [[{ json: { word: this.getNodeParameter('word', 0), typeVersion } }]];
	}
};`;

let folder: string;

beforeAll(() => {
	folder = mkdtempSync(path.join(os.tmpdir(), 'engine-package-'));
	mkdirSync(path.join(folder, 'dist'));
	writeFileSync(path.join(folder, 'dist', 'Echo.node.js'), NODE);
	const manifest = {
		name: 'n8n-nodes-echo',
		version: '1.0.0',
		n8n: { nodes: ['dist/Echo.node.js'], credentials: [] },
	};
	writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
});

afterAll(() => rmSync(folder, { recursive: true }));

it('runs the latest version of a node from a built package', async () => {
	const types = await typesOfPackage(folder);
	const { items } = await runNode({ types, node: 'n8n-nodes-echo.echo' });
	expect(items.map(({ json }) => json)).toEqual([{ word: 'hello', typeVersion: 2 }]);
});

it('names a missing node type', async () => {
	const types = await typesOfPackage(folder);
	const run = runNode({ types, node: 'n8n-nodes-echo.silence' });
	await expect(run).rejects.toThrow('silence');
});
