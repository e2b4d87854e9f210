/** The body of a request to the sheet. */
export interface CellsBody {
	values?: unknown[][];
	data?: Update[];
	valueInputOption?: string;
}

/** A request to one of the two sheets. */
export interface SheetRequest {
	method: string;
	url: URL;
	body: CellsBody;
}

interface Update {
	range: string;
	values: unknown[][];
}

const TITLE = 'Uploads';

/** A stand-in for an online sheet called Uploads, with as much of its API as n8n's node uses. */
export class Spreadsheet {
	/** The cells, from the first row on, as somebody who opens the sheet sees them. */
	readonly rows: unknown[][] = [];

	/** The answer to a request, or undefined if it is none that the node makes. */
	answer({ method, url, body }: SheetRequest): object | undefined {
		const [, action] = /^\/v4\/spreadsheets\/[^/:]+(.*)$/.exec(url.pathname) ?? [];
		if (action === undefined) return undefined;
		if (action === '') return { sheets: [{ properties: { sheetId: 0, title: TITLE } }] };
		// Adds empty rows, which change nothing here.
		if (action === ':batchUpdate') return {};
		if (action === '/values:batchUpdate') {
			for (const { range, values } of body.data ?? [])
				this.write(range, values, body.valueInputOption);
			return {};
		}
		const range = decodeURIComponent(action.replace('/values/', ''));
		if (method === 'GET') return { values: this.rows };
		if (method !== 'PUT') return undefined;
		this.write(range, body.values ?? [], url.searchParams.get('valueInputOption') ?? '');
		return {};
	}

	/** Writes cells from the first one of a range on, such as `Uploads!B3` or `Uploads!5:12`. */
	private write(range: string, values: unknown[][], option = ''): void {
		const [, letter = 'A', row = '1'] = /!([A-Z])?(\d+)/.exec(range) ?? [];
		const column = letter.charCodeAt(0) - 'A'.charCodeAt(0);
		for (const [index, cells] of values.entries()) {
			const target = (this.rows[Number(row) - 1 + index] ??= []);
			for (const [offset, cell] of cells.entries())
				target[column + offset] = option === 'RAW' ? cell : asTyped(cell);
		}
	}
}

/** What becomes of a value that a sheet takes as if somebody had typed it. */
export function asTyped(cell: unknown): unknown {
	if (typeof cell !== 'string') return cell;
	if (/^[=+@-]/.test(cell)) return '#FORMULA';
	return cell.trim() === '' || Number.isNaN(Number(cell)) ? cell : Number(cell);
}
