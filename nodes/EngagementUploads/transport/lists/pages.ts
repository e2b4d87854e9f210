/**
 * Reads any paged list, for the actions, the trigger and the searchable lists. Invariant: no page is
 * used that was answered before the previous one, so that no record slips from one to the other
 * unseen.
 */
import type { IDataObject } from 'n8n-workflow';
import type { ServiceClient } from '../client';
import type { ApiRequest } from '../request';
import { ListProgress } from './listProgress';
import type { RecordPage } from './responses';

/** How a list is read. Page numbers start at 0 (docs/service.md#lists-and-pages). */
export interface PagePlan {
	/** Page size to request; omitted if the endpoint has no page parameters. */
	pageSize?: number;
	/** The first page to read. */
	start?: number;
	/** How many more records are needed at the moment: no page beyond them is requested ahead. */
	needed?(): number;
}

/** One page of a list, as far as it brings anything new. */
export interface Page<T extends IDataObject = IDataObject> {
	number: number;
	/** Its records that were on no earlier page. */
	records: T[];
	/** The page as the service sent it. */
	response: RecordPage<T>;
	/** Whether the list ends with this page. */
	isLast: boolean;
}

/** A page that was requested, and the number of records in the list as known at that time. */
interface RequestedPage<T extends IDataObject> {
	response: Promise<RecordPage<T>>;
	totalBefore: number | undefined;
}

/**
 * The pages of a list, in order, until it ends or the caller stops. They are read side by side where
 * the service says how many there are. If a page fails, the iteration throws after the pages before
 * it.
 */
export async function* pages<T extends IDataObject>(
	client: Pick<ServiceClient, 'options' | 'page'>,
	list: ApiRequest<T>,
	{ pageSize, start, needed = () => Infinity }: PagePlan,
): AsyncGenerator<Page<T>, void, undefined> {
	const { parallel } = client.options;
	const progress = new ListProgress<T>(list.kind, pageSize, start);
	let statedSize: number | undefined;
	const fetch = async (page: number, isWanted: () => boolean) => {
		// Even without page parameters, further pages are read if the response says there are more.
		const isPlain = pageSize === undefined && page === 0;
		const pageQuery = isPlain ? {} : { page, size: pageSize ?? statedSize };
		const query = { ...list.query, ...pageQuery };
		const response = await client.page({ ...list, query, isWanted });
		statedSize = response.page.size;
		return response;
	};
	const requested = new Map<number, RequestedPage<T>>();
	/** A list that changes is read with care: the next page alone, then one more at a time. */
	let width = parallel;
	const request = (number: number) => {
		const known = requested.get(number);
		if (known !== undefined) return known;
		// It is sent, and retried, only while the page is still wanted.
		const isWanted = () => requested.get(number) === page;
		const page: RequestedPage<T> = {
			response: Promise.resolve().then(async () => await fetch(number, isWanted)),
			totalBefore: progress.totalElements,
		};
		requested.set(number, page);
		// A failure reaches whoever takes the page; if nobody does, it must not be an unhandled
		// rejection.
		page.response.catch(() => {});
		return page;
	};
	try {
		while (!progress.isComplete) {
			const number = progress.nextPage;
			const count = progress.pagesToRequest(needed(), width);
			for (let ahead = 1; ahead <= count; ahead++) request(number + ahead - 1);
			const { response: pending, totalBefore } = request(number);
			const response = await pending;
			const { totalElements: newest = 0 } = progress;
			requested.delete(number);
			// It may lack records that have since been pushed onto its page.
			const isOutdated = totalBefore !== newest && (response.page.totalElements ?? 0) < newest;
			width = isOutdated ? 1 : Math.min(parallel, width + 1);
			if (isOutdated) continue;
			const { records, isShifted } = progress.add(number, response);
			if (isShifted) {
				requested.clear();
				width = 1;
			}
			yield { number, records, response, isLast: progress.isComplete };
		}
	} finally {
		requested.clear();
	}
}
