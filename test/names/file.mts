/** docs/public-names.txt, and what to do if the nodes differ from it. */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'docs/public-names.txt';
const HEADER = [
	'# The names and defaults that saved workflows depend on, made from the nodes; “→” is an output field.',
	'# `npm run docs` adds new ones. To change one, see “A new node version” in CONTRIBUTING.md.',
];
const MAX_SHOWN = 40;

export function readNames(): string[] {
	const lines = readFileSync(FILE, 'utf8').split('\n');
	return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

export function writeNames(names: readonly string[]): void {
	writeFileSync(FILE, [...HEADER, '', ...names, ''].join('\n'));
}

export interface Changes {
	/** Both lists, as lines of a diff. */
	lines: string[];
	/** Whether every saved workflow still works. */
	isCompatible: boolean;
}

export function changesOf(listed: readonly string[], present: readonly string[]): Changes {
	const gone = listed.filter((name) => !present.includes(name));
	const added = present.filter((name) => !listed.includes(name));
	return {
		lines: [...gone.map((name) => `- ${name}`), ...added.map((name) => `+ ${name}`)].sort(byName),
		isCompatible: gone.length === 0 && !added.some((name) => isDemanded(name, listed)),
	};
}

/** What to do about changes; undefined if there are none. */
export function adviceOn({ lines, isCompatible }: Changes): string | undefined {
	if (lines.length === 0) return undefined;
	const advice = isCompatible
		? 'Saved workflows are not affected. Run: npm run docs'
		: 'Saved workflows depend on what is gone or changed, or lack what is now required: restore it, or add a node version (CONTRIBUTING.md, “A new node version”). If no release has had it, run: npm run names -- --unreleased';
	const more = lines.length > MAX_SHOWN ? [`… and ${lines.length - MAX_SHOWN} more`] : [];
	const shown = lines.slice(0, MAX_SHOWN);
	return [`${FILE} differs from the nodes.`, ...shown, ...more, advice].join('\n');
}

/** The old and the new form of a name come one after the other. */
function byName(one: string, other: string): number {
	const nameOf = (line: string) => line.slice(2).split(' (')[0] ?? '';
	return nameOf(one).localeCompare(nameOf(other));
}

/** Whether a parameter that workflows must now fill in belongs to something that they already use. */
function isDemanded(name: string, listed: readonly string[]): boolean {
	if (!/\(.*\brequired\b/.test(name)) return false;
	const [owner = ''] = name.split(/ \S+ \(/);
	return listed.some((each) => each.startsWith(`${owner} `));
}
