/**
 * Which file may import which. These few lines spare us a tool such as dependency-cruiser, with a
 * configuration as long.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve('nodes/EngagementUploads');
/** The layers of docs/architecture.md, from top to bottom: a file imports from its own layer and those below. */
const LAYERS = ['.', 'actions', 'trigger', 'lookups', 'fields', 'service', 'transport', 'values'];

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.ts'),
);
/** Which file imports which, types included. */
const arrows = files.flatMap((from) => listImports(from).map((to) => ({ from, to })));

function listImports(file: string): string[] {
	const text = readFileSync(path.join(ROOT, file), 'utf8');
	return [...text.matchAll(/from '(\.[^']*)'/g)].map(([, target = '']) => {
		const imported = path.join(path.dirname(file), target);
		const isFile = existsSync(path.join(ROOT, `${imported}.ts`));
		return isFile ? `${imported}.ts` : path.join(imported, 'index.ts');
	});
}

function findLayer(file: string): string {
	return file.includes(path.sep) ? (file.split(path.sep)[0] ?? '') : '.';
}

it('every file is in a known layer, and imports files that exist', () => {
	expect(files.filter((file) => !LAYERS.includes(findLayer(file)))).toEqual([]);
	expect(arrows.filter(({ to }) => !files.includes(to))).toEqual([]);
});

it('imports only point down', () => {
	const upwards = arrows.filter(
		({ from, to }) => LAYERS.indexOf(findLayer(to)) < LAYERS.indexOf(findLayer(from)),
	);
	expect(upwards).toEqual([]);
});

it('the two nodes share layers below, not each other', () => {
	const across = arrows.filter(
		({ from, to }) => findLayer(from) === 'actions' && findLayer(to) === 'trigger',
	);
	expect(across).toEqual([]);
});

it('there are no import cycles', () => {
	let [left, before] = [arrows, 0];
	while (left.length !== before) {
		before = left.length;
		// Without those that no way leads to, or on from.
		const [starts, ends] = [left.map(({ from }) => from), left.map(({ to }) => to)];
		left = left.filter(({ from, to }) => ends.includes(from) && starts.includes(to));
	}
	expect(left).toEqual([]);
});

it('one file reads the time of day and draws random numbers, so that all else is handed a clock', () => {
	const isReading = (file: string) =>
		/Date\.now|Math\.random/.test(readFileSync(path.join(ROOT, file), 'utf8'));
	expect(files.filter(isReading)).toEqual([path.join('values', 'clock.ts')]);
});
