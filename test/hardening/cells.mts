import { expectedOf, type Expected } from './rules.mts';
import type { FaultRow } from './faultRow.mts';
import { play, type Seen } from './play.mts';
import { methodAt, placesOf, subjects, type Place, type Subject } from './subjects.mts';

/** One fault at one place in one subject. */
export interface Cell {
	subject: Subject;
	place: Place;
	row: FaultRow;
	expected: Expected;
}

/** A cell, its result, and the result without a fault. */
export interface Played extends Cell {
	seen: Seen;
	clean: Seen;
}

/** Every fault at every place, unless its row says less. */
export function cellsOf(rows: readonly FaultRow[]): Cell[] {
	return subjects.flatMap((subject) =>
		placesOf(subject).flatMap((place) =>
			rows
				.filter(({ only }) => only === undefined || isFirst(subject, place, only))
				.map((row) => {
					const { name, kind } = subject;
					const method = methodAt(subject, place);
					const isPermanent = row.times === Infinity;
					const isInvalid = ['400', '422'].includes(row.name);
					const isServerFailure = /^5\d\d\b/.test(row.name);
					const spot = {
						subject: name,
						kind,
						place,
						method,
						isPermanent,
						isInvalid,
						isServerFailure,
					};
					return { subject, place, row, expected: expectedOf(row.class, spot) };
				}),
		),
	);
}

function isFirst(subject: Subject, place: Place, only: NonNullable<FaultRow['only']>): boolean {
	if (place !== placesOf(subject)[0]) return false;
	return only === 'firstPlace' || subject === subjects.find(({ kind }) => kind === subject.kind);
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
		played.push({ ...cell, seen: await play(subject, place, row), clean: expected });
	}
	return played;
}
