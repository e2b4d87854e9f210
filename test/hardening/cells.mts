import { findExpected, type Expected, type Spot } from './rules.mts';
import type { FaultRow } from './faultRow.mts';
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

/** Every fault at every place, unless its row says less. */
export function listCells(rows: readonly FaultRow[]): Cell[] {
	return subjects.flatMap((subject) =>
		listPlaces(subject).flatMap((place) =>
			rows
				.filter(({ isOnlyFirst }) => !isOnlyFirst || place === listPlaces(subject)[0])
				.map((row) => ({ subject, place, row, expected: findExpected({ subject, place, row }) })),
		),
	);
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
				`${subject.name} returns ${expected.items.length} records without a fault: let addOfEachKind of test/support/kinds.mts add ${RECORDS} for the example's engagement`,
			);
		played.push({ ...cell, seen: await play(subject, place, row), clean: expected });
	}
	return played;
}
