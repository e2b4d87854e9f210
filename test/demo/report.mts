import Table from 'cli-table3';

/** A table row, by column. */
export type Row = Record<string, unknown>;

const MAX_ROWS = 8;
const SPINNER = ['|', '/', '-', '\\'];
const TICK_MS = 120;

/** The demo's output; progress is shown only on a terminal. */
export class Report {
	private ticker: NodeJS.Timeout | undefined;

	constructor(private readonly out: NodeJS.WriteStream) {}

	line(text = ''): void {
		this.clear();
		this.out.write(`${text}\n`);
	}

	heading(text: string): void {
		this.line();
		this.line(this.out.isTTY ? `\u001b[1m${text}\u001b[22m` : text);
	}

	/** Shows the progress, updated several times a second, until `work` is done. */
	async during<T>(status: () => string, work: () => Promise<T>): Promise<T> {
		let tick = 0;
		const show = () => {
			this.clear();
			this.out.write(`  ${SPINNER[tick++ % SPINNER.length]} ${status()}`);
		};
		if (this.out.isTTY) this.ticker = setInterval(show, TICK_MS);
		try {
			return await work();
		} finally {
			clearInterval(this.ticker);
			this.clear();
		}
	}

	/** The first rows as a table, with the number of further rows; a single row field by field. */
	table(rows: Row[]): void {
		const columns = Object.keys(rows[0] ?? {});
		const shown = rows.slice(0, MAX_ROWS);
		const table = new Table({
			head: rows.length === 1 ? [] : columns,
			style: { head: this.out.isTTY ? ['cyan'] : [], border: [] },
			chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
		});
		if (rows.length === 1)
			table.push(...columns.map((column) => [column, cell(rows[0]?.[column])]));
		else table.push(...shown.map((row) => columns.map((column) => cell(row[column]))));
		this.line(table.toString());
		if (rows.length > shown.length) this.line(`… and ${rows.length - shown.length} more`);
	}

	private clear(): void {
		if (this.out.isTTY) this.out.write('\r\u001b[K');
	}
}

function cell(value: unknown): string {
	return value === null || value === undefined ? '-' : String(value);
}

/** `3 requests` */
export function count(number: number, noun: string): string {
	return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
