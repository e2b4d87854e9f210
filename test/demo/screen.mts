/** What the demo prints: numbered steps, and tables that fit a terminal. */

/** A row, by column. */
export type Row = Record<string, unknown>;

const MAX_CELL = 40;
const GAP = '  ';

let steps = 0;

/** The heading of the next step, and the operation or event that it uses. */
export function step(title: string, uses: string): void {
	steps += 1;
	console.log(`\n${steps}. ${title} (${uses})\n`);
}

/** A table with the first rows, and how many more there are. */
export function showTable(columns: readonly string[], rows: readonly Row[], most = 8): void {
	const cells = rows.slice(0, most).map((row) => columns.map((column) => readText(row[column])));
	const lines = [[...columns], columns.map((column) => '─'.repeat(column.length)), ...cells];
	const widths = columns.map((_, index) =>
		Math.max(...lines.map((line) => line[index]?.length ?? 0)),
	);
	for (const line of lines) {
		const padded = line.map((cell, index) => cell.padEnd(widths[index] ?? 0));
		console.log(`   ${padded.join(GAP).trimEnd()}`);
	}
	if (rows.length > most) console.log(`   … and ${rows.length - most} more`);
}

/** A sentence about what was seen. */
export function say(text: string): void {
	console.log(`   ${text}`);
}

function readText(value: unknown): string {
	if (value === null || value === undefined) return '–';
	const text = String(value);
	return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
}
