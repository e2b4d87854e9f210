/** Stand-ins for two online spreadsheets, with as much of their interfaces as n8n's nodes use. */

/** The body of a request. */
export interface CellsBody {
	values?: unknown[][];
	data?: Array<{ range: string; values: unknown[][] }>;
	valueInputOption?: string;
}

/** A request to one of the two. */
interface SheetRequest {
	method: string;
	url: URL;
	body: CellsBody;
}

const TITLE = 'Uploads';
/** What the example's note tells users to enter in the first row of the workbook. */
const COLUMNS = [
	...['uploadId', 'engagementId', 'externalEngagementId', 'engagementName'],
	...['connectorName', 'uploadStatus', 'creationDate', 'completionDate'],
];
const LAST_COLUMN = 'H';

/** A sheet called Uploads. */
class Sheet {
	/** The cells, from the first row on, as somebody who opens the sheet sees them. */
	readonly rows: unknown[][] = [];

	/** The cells of each further row, by those of the first one. */
	get records(): Array<Record<string, unknown>> {
		const [columns = [], ...rows] = this.rows;
		return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
	}

	/** Writes cells from the first one of a range on, such as `B3:C4` or `5:12`. */
	protected write(range: string, values: unknown[][], asShown = asTyped): void {
		const [, letter = 'A', row = '1'] = /([A-Z])?(\d+)(?::|$)/.exec(range) ?? [];
		const column = letter.charCodeAt(0) - 'A'.charCodeAt(0);
		for (const [index, cells] of values.entries()) {
			const target = (this.rows[Number(row) - 1 + index] ??= []);
			for (const [offset, cell] of cells.entries()) target[column + offset] = asShown(cell);
		}
	}
}

/** Google Sheets. */
export class Spreadsheet extends Sheet {
	/** The answer to a request, or undefined if it is none that the node makes. */
	answer({ method, url, body }: SheetRequest): object | undefined {
		const [, action] = /^\/v4\/spreadsheets\/[^/:]+(.*)$/.exec(url.pathname) ?? [];
		if (action === undefined) return undefined;
		if (action === '') return { sheets: [{ properties: { sheetId: 0, title: TITLE } }] };
		// Adds empty rows, which change nothing here.
		if (action === ':batchUpdate') return {};
		if (method === 'GET') return { values: this.rows };
		const range = decodeURIComponent(action.replace('/values/', ''));
		const option = body.valueInputOption ?? url.searchParams.get('valueInputOption');
		const asShown = option === 'RAW' ? (cell: unknown) => cell : asTyped;
		for (const update of body.data ?? [{ range, values: body.values ?? [] }])
			this.write(update.range, update.values, asShown);
		return {};
	}
}

/** Excel. */
export class Workbook extends Sheet {
	override readonly rows: unknown[][] = [COLUMNS];

	/** The answer to a request, or undefined if it is none that the node makes. */
	answer({ method, url, body: { values = [] } }: SheetRequest): object | undefined {
		const [, range] = /\/workbook\/worksheets\/[^/]+\/(.*)$/.exec(url.pathname) ?? [];
		if (range === 'usedRange')
			return { address: `${TITLE}!A1:${LAST_COLUMN}${this.rows.length}`, values: this.rows };
		const [, address] = /^range\(address='(.+)'\)$/.exec(decodeURIComponent(range ?? '')) ?? [];
		if (method !== 'PATCH' || address === undefined) return undefined;
		this.write(address, values);
		return { values };
	}
}

/** What becomes of a value that a sheet takes as if somebody had typed it. */
function asTyped(cell: unknown): unknown {
	if (typeof cell !== 'string') return cell;
	if (cell.startsWith("'")) return cell.slice(1);
	if (/^[=+@-]/.test(cell)) return '#FORMULA';
	return cell.trim() === '' || Number.isNaN(Number(cell)) ? cell : Number(cell);
}
