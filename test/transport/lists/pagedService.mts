import type { RecordPage } from '../../../nodes/EngagementUploads/transport/responses.ts';
import type { PageFields } from '../../../nodes/EngagementUploads/transport/request.ts';

/** The page fields that describe the end of the list. */
export const PAGE_INFOS = {
	spring: ({ number, size, total, pages }) => ({
		last: number >= pages - 1,
		totalPages: pages,
		totalElements: total,
		number,
		size,
	}),
	nestedPage: ({ number, size, total, pages }) => ({
		totalPages: pages,
		totalElements: total,
		number,
		size,
	}),
	totalPagesAndNumber: ({ number, pages }) => ({ totalPages: pages, number }),
	totalPages: ({ pages }) => ({ totalPages: pages }),
	lastOnly: ({ number, pages }) => ({ last: number >= pages - 1 }),
	withoutLastOnTheLast: ({ number, pages }) => (number >= pages - 1 ? {} : { last: false }),
	sizeOnly: ({ size }) => ({ size }),
	nothing: () => ({}),
} satisfies Record<string, (page: Slot) => PageFields>;

export type PageInfo = keyof typeof PAGE_INFOS;

interface Slot {
	/** page number according to the service */
	number: number;
	/** records on a full page */
	size: number;
	/** records in the list at this moment */
	total: number;
	pages: number;
}

/**
 * A record that joins the list before the n-th response; `at` is its position, from 0 to below 1.
 */
export interface Joining {
	before: number;
	at: number;
}

export interface Behaviour {
	pageInfo: PageInfo;
	/** records at the start */
	count: number;
	/** records on a page */
	size: number;
	/** Requests beyond the end return the last page again. */
	repeatsLast?: boolean;
	/** `last` is false on every page. */
	neverLast?: boolean;
	/**
	 * What `number` counts, if present: pages from 0 or 1, or elements
	 * (docs/service.md#lists-and-pages).
	 */
	numbers?: 'pages' | 'fromOne' | 'elements';
	/** Whether `totalElements` counts only the page (docs/service.md#lists-and-pages). */
	countsPage?: boolean;
	joining?: Joining[];
}

/** A paged list that responds with its contents at the moment of the response. */
export class PagedService {
	readonly atStart: string[];
	readonly asked: number[] = [];
	private readonly ids: string[];

	constructor(private readonly behaviour: Behaviour) {
		this.atStart = Array.from({ length: behaviour.count }, (_, index) => `start ${index}`);
		this.ids = [...this.atStart];
	}

	answer(page: number): RecordPage {
		this.addJoining();
		this.asked.push(page);
		const { size, repeatsLast = false } = this.behaviour;
		const pages = Math.max(1, Math.ceil(this.ids.length / size));
		const number = repeatsLast ? Math.min(page, pages - 1) : page;
		const ids = this.ids.slice(number * size, (number + 1) * size);
		const slot = { number, size, total: this.ids.length, pages };
		return {
			records: ids.map((uploadId) => ({ uploadId })),
			page: this.pageFields(slot, ids.length),
		};
	}

	private addJoining(): void {
		const answers = this.asked.length;
		for (const [index, { before, at }] of (this.behaviour.joining ?? []).entries()) {
			if (before !== answers) continue;
			this.ids.splice(Math.floor(at * (this.ids.length + 1)), 0, `joined ${index}`);
		}
	}

	private pageFields(slot: Slot, length: number): PageFields {
		const { pageInfo, neverLast = false, numbers = 'pages', countsPage = false } = this.behaviour;
		const fields: PageFields = PAGE_INFOS[pageInfo](slot);
		if (neverLast && fields.last !== undefined) fields.last = false;
		if (countsPage && fields.totalElements !== undefined) fields.totalElements = length;
		const { number, size } = slot;
		if (fields.number !== undefined)
			fields.number = { pages: number, fromOne: number + 1, elements: number * size }[numbers];
		return fields;
	}
}
