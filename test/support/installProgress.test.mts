import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { InstallProgress } from './installProgress.mts';

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(path.join(os.tmpdir(), 'progress-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

function install(name: string): void {
	mkdirSync(path.join(folder, name), { recursive: true });
	writeFileSync(path.join(folder, name, 'package.json'), '{}');
}

it('counts what is there, without the folders that npm makes first and packages for some systems', () => {
	const names = ['a', '@b/c', 'a/node_modules/d'].map((name) => `node_modules/${name}`);
	const packages = {
		'': { name: 'the folder itself' },
		...Object.fromEntries(names.map((name) => [name, {}])),
		'node_modules/for-others': { os: ['aix'], cpu: ['ppc64'] },
	};
	writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages }));
	const progress = new InstallProgress(folder);
	expect(String(progress)).toBe('looking up 3 packages');
	for (const name of names) mkdirSync(path.join(folder, name), { recursive: true });
	expect(String(progress)).toBe('looking up 3 packages');
	names.slice(1).forEach(install);
	expect(String(progress)).toBe('2 of 3 packages');
});
