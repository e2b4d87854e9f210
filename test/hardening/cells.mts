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
					const spot = { subject: name, kind, place, method, isPermanent, isInvalid };
					return { subject, place, row, expected: expectedOf(row.class, spot) };
				}),
		),
	);
}

function isFirst(subject: Subject, place: Place, only: NonNullable<FaultRow['only']>): boolean {
	if (place !== placesOf(subject)[0]) return false;
	return only === 'firstPlace' || subject === subjects.find(({ kind }) => kind === subject.kind);
}

/** Maximum number of cells that have started but have no response yet. */
const AT_ONCE = 12;

/**
 * Runs all cells in parallel, since they mostly wait. Those with their own timeout go first, so
 * that a busy machine does not make others time out.
 */
export async function playAll(cells: readonly Cell[]): Promise<Played[]> {
	const clean = new Map<string, Promise<Seen>>();
	const cleanOf = async (subject: Subject, place: Place) => {
		const key = `${subject.name} ${place}`;
		if (!clean.has(key)) clean.set(key, play(subject, place));
		return await (clean.get(key) as Promise<Seen>);
	};
	for (const subject of subjects)
		await Promise.all(placesOf(subject).map(async (place) => await cleanOf(subject, place)));
	const sorted = cells
		.filter(({ row }) => row.isAlone !== true)
		.sort((one, other) => (other.row.timeout ?? 0) - (one.row.timeout ?? 0));
	const played: Array<Promise<Played>> = [];
	for (let at = 0; at < sorted.length; at += AT_ONCE) {
		const batch = sorted.slice(at, at + AT_ONCE).map((cell) => begin(cell, cleanOf));
		played.push(...batch.map(({ played: done }) => done));
		await Promise.all(batch.map(async ({ begun }) => await begun));
	}
	const results = await Promise.all(played);
	for (const cell of cells.filter(({ row }) => row.isAlone))
		results.push(await begin(cell, cleanOf).played);
	return results;
}

function begin(
	cell: Cell,
	cleanOf: (subject: Subject, place: Place) => Promise<Seen>,
): { begun: Promise<void>; played: Promise<Played> } {
	let isBegun = () => {};
	const begun = new Promise<void>((resolve) => (isBegun = resolve));
	const seen = play(cell.subject, cell.place, cell.row, isBegun);
	if (cell.row.class === 'unreachable') isBegun();
	const played = seen.finally(isBegun).then(async (each) => {
		return { ...cell, seen: each, clean: await cleanOf(cell.subject, cell.place) };
	});
	return { begun, played };
}
