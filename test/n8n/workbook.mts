import { asTyped, type SheetRequest } from './spreadsheet.mts';

/** What the example's note tells users to enter in the first row. */
const COLUMNS = [
	'uploadId',
	'engagementId',
	'externalEngagementId',
	'engagementName',
	'connectorName',
	'uploadStatus',
	'creationDate',
	'completionDate',
];

/** A stand-in for a sheet of an Excel workbook online, with as much of its API as n8n's node uses. */
export class Workbook {
	/** The cells, from the first row on, as somebody who opens the workbook sees them. */
	readonly rows: unknown[][] = [COLUMNS];

	/** The answer to a request, or undefined if it is none that the node makes. */
	answer({ method, url, body }: SheetRequest): object | undefined {
		const [, range] = /\/workbook\/worksheets\/[^/]+\/(.*)$/.exec(url.pathname) ?? [];
		if (range === 'usedRange') {
			const lastColumn = String.fromCharCode('A'.charCodeAt(0) + COLUMNS.length - 1);
			return { address: `Uploads!A1:${lastColumn}${this.rows.length}`, values: this.rows };
		}
		const [, row] =
			/^range\(address='A(\d+):[A-Z]\d+'\)$/.exec(decodeURIComponent(range ?? '')) ?? [];
		if (method !== 'PATCH' || row === undefined) return undefined;
		const values = (body.values ?? []).map((cells) => cells.map(evaluated));
		this.rows.splice(Number(row) - 1, values.length, ...values);
		return { values };
	}
}

/** What becomes of a value: Excel takes all of them as if somebody had typed them. */
function evaluated(cell: unknown): unknown {
	if (typeof cell === 'string' && cell.startsWith("'")) return cell.slice(1);
	return asTyped(cell) ?? '';
}
