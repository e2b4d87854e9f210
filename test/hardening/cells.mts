import { isLong } from '../support/long.mts';
import { findExpected, type Expected, type Spot } from './rules.mts';
import type { FaultRow } from './faults.mts';
import { play, type Seen } from './play.mts';
import { listPlaces, RECORDS, subjects } from './subjects.mts';

/** One fault at one place in one subject. */
interface Cell extends Spot {
	expected: Expected;
}

/** A cell, its result, and the result without a fault. */
export interface Played extends Cell {
	seen: Seen;
	clean: Seen;
}

/**
 * Subjects that get every fault at their first place, and the first of each class, once and permanently, at
 * the others: one of each kind, and those that send requests in a way of their own. All other subjects get
 * the first fault of each class at their first place, since one function sends the requests of all operations
 * of a kind. `npm run test:long` plays everything.
 */
const THOROUGH = new Set([
	'company.get',
	'upload.getAll',
	'engagement.getStatus',
	'upload.start',
	'dataRefresh.run, waiting',
	'trigger',
]);

/** All cells to play. */
export function listCells(rows: readonly FaultRow[]): Cell[] {
	const unknown = [...THOROUGH].filter((name) => subjects.every((each) => each.name !== name));
	if (unknown.length > 0) throw new Error(`subjects.mts has no ${unknown.join(', ')}`);
	return subjects.flatMap((subject) =>
		listPlaces(subject).flatMap((place) =>
			rows
				.filter((row) => isPlayed({ subject, place, row }, rows))
				.map((row) => ({ subject, place, row, expected: findExpected({ subject, place, row }) })),
		),
	);
}

function isPlayed({ subject, place, row }: Spot, rows: readonly FaultRow[]): boolean {
	const isFirst = place === listPlaces(subject)[0];
	if (!isFirst && row.isOnlyFirst === true) return false;
	if (isLong) return true;
	const ofClass = rows.filter((each) => each.class === row.class);
	if (!THOROUGH.has(subject.name)) return isFirst && ofClass[0] === row;
	return isFirst || ofClass.find(({ times }) => times === row.times) === row;
}

/** Runs all cells, one after the other. */
export async function playAll(cells: readonly Cell[]): Promise<Played[]> {
	const clean = new Map<string, Seen>();
	const played: Played[] = [];
	for (const cell of cells) {
		const { subject, place, row } = cell;
		const key = `${subject.name} ${place}`;
		const expected = clean.get(key) ?? (await play(subject, place));
		clean.set(key, expected);
		if (subject.kind === 'list' && expected.items.length !== RECORDS)
			throw new Error(
				`${subject.name} returns ${expected.items.length} records without a fault: let addOfEachKind of test/support/world/kinds.mts add ${RECORDS} for the example's engagement`,
			);
		played.push({ ...cell, seen: await play(subject, place, row), clean: expected });
	}
	return played;
}
