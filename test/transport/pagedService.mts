import type { RecordPage } from '../../nodes/EngagementUploads/transport/responses.ts';
import type { PageFields } from '../../nodes/EngagementUploads/transport/pageFields.ts';

/** What the service says on a page about the end of its list. */
export const TELLINGS = {
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

export type Telling = keyof typeof TELLINGS;

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
	telling: Telling;
	/** records at the start */
	count: number;
	/** records on a page */
	size: number;
	/** Asked beyond the end, the last page comes again. */
	repeatsLast?: boolean;
	/** `last` is false on every page. */
	neverLast?: boolean;
	/**
	 * What `number` counts, if present: pages from 0 or 1, or elements
	 * (docs/service.md#lists-and-pages).
	 */
	numbers?: 'pages' | 'fromOne' | 'elements' | 'nothing';
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
		this.letJoin();
		this.asked.push(page);
		const { size, repeatsLast = false } = this.behaviour;
		const pages = Math.max(1, Math.ceil(this.ids.length / size));
		const number = repeatsLast ? Math.min(page, pages - 1) : page;
		const ids = this.ids.slice(number * size, (number + 1) * size);
		const slot = { number, size, total: this.ids.length, pages };
		return {
			records: ids.map((uploadId) => ({ uploadId })),
			page: this.told(slot, ids.length),
		};
	}

	private letJoin(): void {
		const answers = this.asked.length;
		for (const [index, { before, at }] of (this.behaviour.joining ?? []).entries()) {
			if (before !== answers) continue;
			this.ids.splice(Math.floor(at * (this.ids.length + 1)), 0, `joined ${index}`);
		}
	}

	private told(slot: Slot, length: number): PageFields {
		const { telling, neverLast = false, numbers = 'pages', countsPage = false } = this.behaviour;
		const fields: PageFields = TELLINGS[telling](slot);
		if (neverLast && fields.last !== undefined) fields.last = false;
		if (countsPage && fields.totalElements !== undefined) fields.totalElements = length;
		if (fields.number !== undefined) {
			const { number } = slot;
			const counted = {
				pages: number,
				fromOne: number + 1,
				elements: number * slot.size,
				nothing: 0,
			};
			fields.number = counted[numbers];
		}
		return fields;
	}
}
