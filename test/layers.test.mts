import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve('nodes/EngagementUploads');
/** The layers of docs/architecture.md, from top to bottom: a file imports from its own layer and those below. */
const LAYERS = ['.', 'actions', 'trigger', 'lookups', 'fields', 'service', 'transport', 'values'];

/** The parts of the transport, from below. */
const TRANSPORT = [
	'n8nCompat',
	'credential',
	'http',
	'responses',
	'failures',
	'token',
	'client',
	'lists',
];

interface Arrow {
	from: string;
	to: string;
}

const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) =>
	file.endsWith('.ts'),
);
const arrows = files.flatMap(arrowsOf);

function arrowsOf(file: string): Arrow[] {
	const text = readFileSync(path.join(ROOT, file), 'utf8');
	return [...text.matchAll(/from '(\.[^']*)'/g)].map(([, target = '']) => ({
		from: file,
		to: `${path.join(path.dirname(file), target)}.ts`,
	}));
}

function layerOf(file: string): string {
	return file.includes(path.sep) ? (file.split(path.sep)[0] ?? '') : '.';
}

/** Files that import each other in a circle, in the order of the imports. */
function circleFrom(file: string, way: string[], checked: Set<string>): string[] | undefined {
	if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
	if (checked.has(file)) return undefined;
	checked.add(file);
	for (const { to } of arrows.filter(({ from }) => from === file)) {
		const circle = circleFrom(to, [...way, file], checked);
		if (circle !== undefined) return circle;
	}
	return undefined;
}

it('every file is in a known layer', () => {
	expect(files.filter((file) => !LAYERS.includes(layerOf(file)))).toEqual([]);
});

it('imports only point down', () => {
	const upwards = arrows.filter(
		({ from, to }) => LAYERS.indexOf(layerOf(to)) < LAYERS.indexOf(layerOf(from)),
	);
	expect(upwards).toEqual([]);
});

it('the parts of the transport only import those before them', () => {
	const partOf = (file: string) => file.split(path.sep)[1]?.replace(/\.ts$/, '') ?? '';
	const within = arrows.filter(({ from, to }) =>
		[from, to].every((file) => layerOf(file) === 'transport'),
	);
	const backwards = within.filter(
		({ from, to }) => TRANSPORT.indexOf(partOf(to)) > TRANSPORT.indexOf(partOf(from)),
	);
	expect(backwards).toEqual([]);
	expect(
		within.map(({ from }) => partOf(from)).filter((part) => !TRANSPORT.includes(part)),
	).toEqual([]);
});

it('the two nodes share layers below, not each other', () => {
	const across = arrows.filter(
		({ from, to }) => layerOf(from) === 'actions' && layerOf(to) === 'trigger',
	);
	expect(across).toEqual([]);
});

it('there are no import cycles', () => {
	const checked = new Set<string>();
	expect(files.flatMap((file) => circleFrom(file, [], checked) ?? [])).toEqual([]);
});

it('the time of day is read in one file, so that everything else uses a monotonic clock', () => {
	const isReading = (file: string) =>
		readFileSync(path.join(ROOT, file), 'utf8').includes('Date.now');
	expect(files.filter(isReading)).toEqual([path.join('values', 'clock.ts')]);
});
