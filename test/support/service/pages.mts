import type { Settings, Wrapper } from './settings.mts';

/** The requested page; `number` counts from 0. */
export interface PageRequest {
	number: number;
	size: number;
}

/** A page of a response, with its page fields. */
export interface Page<T> {
	rows: readonly T[];
	number: number;
	size: number;
	total: number;
}

/** Cuts a page out of a list, according to the settings. */
export function pageOf<T>(list: readonly T[], asked: PageRequest, settings: Settings): Page<T> {
	const size = Math.min(asked.size, settings.maxPageSize);
	const lastNumber = Math.max(0, Math.ceil(list.length / size) - 1);
	const number = settings.repeatLastPage ? Math.min(asked.number, lastNumber) : asked.number;
	const rows = list.slice(number * size, (number + 1) * size);
	return { rows, number, size, total: list.length };
}

/** The JSON response of a list: wrapped records with page fields (none for an unpaged list). */
export function renderList(
	name: string,
	records: readonly unknown[],
	page: Omit<Page<unknown>, 'rows'> | null,
	settings: Settings,
): unknown {
	if (settings.singleRecordAsObject && records.length === 1) return records[0];
	if (settings.wrapper === 'array') return records;
	const fields = page ? pageFields(records.length, page, settings) : {};
	return { ...wrap(settings.wrapper, name, records), ...fields };
}

function wrap(
	wrapper: Exclude<Wrapper, 'array'>,
	name: string,
	records: readonly unknown[],
): Record<string, unknown> {
	if (wrapper === 'embedded') return { _embedded: { [name]: records } };
	return { [wrapper === 'named' ? name : wrapper]: records };
}

function pageFields(
	count: number,
	{ number, size, total }: Omit<Page<unknown>, 'rows'>,
	settings: Settings,
): Record<string, unknown> {
	const totalPages = Math.ceil(total / size);
	const last = !settings.neverLast && number >= totalPages - 1;
	switch (settings.pageFields) {
		case 'none':
			return {};
		case 'lastOnly':
			return { last };
		case 'totalPagesAndNumber':
			return { totalPages, number };
		case 'sizeOnly':
			return { size };
		case 'nestedPage':
			return { page: { size, number, totalElements: total, totalPages } };
		case 'spring':
			return {
				last,
				first: number === 0,
				totalPages,
				totalElements: total,
				numberOfElements: count,
				size,
				number,
				sort: 'ASC',
			};
	}
}
