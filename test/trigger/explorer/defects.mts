/** Small defects, put into a copy of the code one at a time; the explorer must find each. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

interface Defect {
	name: string;
	/** Under `nodes/EngagementUploads/trigger/`. */
	file: string;
	/** Occurs once in the file. */
	from: string;
	to: string;
	/** The world in which it is found. */
	world: string;
}

const COPIED = ['nodes', 'credentials', 'test', 'package.json', 'tsconfig.json'];

/** By the world in which they are found and the file: the name, a text that occurs once, and another. */
const CHANGES: Record<string, Record<string, Array<[name: string, from: string, to: string]>>> = {
	completed: {
		'progress.ts': [
			[
				'the window has no look-back',
				'Math.max(previous - lookback - CLOCK_CHANGE, since ?? -Infinity)',
				'previous',
			],
		],
		'cursor.ts': [
			[
				'the first poll emits what is there',
				'isFirstLook || emitted.has(upload)',
				'emitted.has(upload)',
			],
			['uploads are not sorted', '.sort(byTime)', ''],
		],
		'events/uploadCompleted.event.ts': [
			[
				'failed uploads count as completed',
				"isFailedStatus(status) ? undefined : 'completed'",
				"'completed'",
			],
		],
	},
	'completed, backlog': {
		'cursor.ts': [['a backlog begins with the newest', 'due.slice(0, most)', 'due.slice(-most)']],
		'turns.ts': [
			[
				'overlapping polls do not wait',
				'for (const other of before) {',
				'for (const other of before.slice(1)) {',
			],
		],
	},
	'completed, any order': {
		'scan.ts': [['every order counts as proven', '(await isProven(list, run, by))', 'true']],
	},
	'completed, durable': {
		'store.ts': [
			[
				'the first poll is not saved in durable polling',
				'isEmitting || !this.isDurable',
				'isEmitting && !this.isDurable',
			],
		],
	},
	started: {
		'store.ts': [
			[
				'what n8n discarded counts as emitted',
				'TIME_TO_COMMIT : !this.isFirst;',
				'TIME_TO_COMMIT : true;',
			],
		],
	},
	failed: {
		'cursor.ts': [
			['followed uploads are forgotten', ' || isFollowed(entry, { ...wanted, now })', ''],
			[
				'an upload that is missing from an answer is forgotten',
				'const known = new Map(Object.entries(state.known));',
				'const known = new Map<string, Known>();',
			],
		],
	},
	status: {
		'cursor.ts': [
			[
				'an upload that has ended is followed no longer',
				'now <= (entry.end ?? Infinity) + lookback',
				'entry.end === undefined',
			],
			[
				'the previous status is the one before it',
				'knownOf(state, upload)?.last ?? null',
				'knownOf(state, upload)?.previous ?? null',
			],
			[
				'a status that comes again is not emitted',
				'last !== undefined && !isOpen && !isRepeating',
				'last !== undefined && !isOpen',
			],
		],
	},
	stuck: {
		'events/uploadStuck.event.ts': [
			['uploads that have ended get stuck', ' && !hasEnded(upload)', ''],
		],
	},
};

export const defects: Defect[] = Object.entries(CHANGES).flatMap(([world, files]) =>
	Object.entries(files).flatMap(([file, changes]) =>
		changes.map(([name, from, to]) => ({ name, file, from, to, world })),
	),
);

/** Runs something on a copy of the code with a defect. */
export async function withDefect<T>(
	{ name, file, from, to }: Defect,
	run: (folder: string) => Promise<T>,
): Promise<T> {
	const folder = mkdtempSync(path.join(tmpdir(), 'defect-'));
	try {
		for (const each of COPIED) cpSync(each, path.join(folder, each), { recursive: true });
		symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
		const place = path.join(folder, 'nodes/EngagementUploads/trigger', file);
		const parts = readFileSync(place, 'utf8').split(from);
		if (parts.length !== 2) throw new Error(`Adapt the defect “${name}” to ${file}`);
		writeFileSync(place, parts.join(to));
		return await run(folder);
	} finally {
		rmSync(folder, { recursive: true });
	}
}
