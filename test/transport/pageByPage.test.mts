import { upload } from '../../nodes/EngagementUploads/api/records.ts';
import type { RecordPage } from '../../nodes/EngagementUploads/transport/responses.ts';
import { PageReader } from '../../nodes/EngagementUploads/transport/pageReader.ts';

/** Uploads with these numbers. */
const uploads = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => ({ uploadId: `upload-${from + index}` }));

interface Given {
	pageSize?: number;
	limit?: number;
	parallel?: number;
}

const reader = ({ pageSize, limit, parallel = 8 }: Given = { pageSize: 2 }) =>
	new PageReader({ kind: upload, pageSize, limit, parallel });

const page = (from: number, to: number, stated: RecordPage['page'] = {}): RecordPage => ({
	records: uploads(from, to),
	page: stated,
});

const stating = { totalPages: 5, totalElements: 10 };

describe('the pages to request next', () => {
	it('are one page until the service has said how many there are', () => {
		const list = reader();
		expect(list.nextPages()).toEqual([0]);
		list.add(0, page(1, 2, { last: false }));
		expect(list.nextPages()).toEqual([1]);
	});

	it('are all that are left, as many as may be in flight', () => {
		const [wide, narrow] = [reader(), reader({ pageSize: 2, parallel: 3 })];
		for (const list of [wide, narrow]) list.add(0, page(1, 2, stating));
		expect(wide.nextPages()).toEqual([1, 2, 3, 4]);
		expect(narrow.nextPages()).toEqual([1, 2, 3]);
		wide.add(1, page(3, 4, stating));
		expect(wide.nextPages()).toEqual([2, 3, 4]);
	});

	it('are as many as the limit needs, at the size that the first page had', () => {
		const list = reader({ pageSize: 100, limit: 7 });
		list.add(0, page(1, 2, stating));
		expect(list.nextPages()).toEqual([1, 2, 3]);
		// A short page in between says nothing about the others.
		list.add(1, page(3, 3, stating));
		expect(list.nextPages()).toEqual([2, 3]);
	});

	it('are one page without a total: a record that joined the list would go unnoticed', () => {
		const list = reader();
		list.add(0, page(1, 2, { totalPages: 5 }));
		expect(list.nextPages()).toEqual([1]);
	});

	it('are one page if the total is no more than the first page', () => {
		const list = reader();
		list.add(0, page(1, 2, { totalPages: 5, totalElements: 2 }));
		expect(list.nextPages()).toEqual([1]);
		list.add(1, page(3, 4, { totalPages: 5, totalElements: 9 }));
		expect(list.nextPages()).toEqual([2]);
	});

	it('are one page again once a page lacks the total', () => {
		const list = reader();
		list.add(0, page(1, 2, stating));
		list.add(1, page(3, 4, { totalPages: 5 }));
		expect(list.nextPages()).toEqual([2]);
	});
});

describe('a page that repeats records', () => {
	it('is distinguished from a new one', () => {
		const list = reader();
		expect(list.add(0, page(1, 2, stating))).toBe(false);
		expect(list.add(1, page(2, 3, stating))).toBe(true);
		expect(list.records).toEqual(uploads(1, 3));
	});

	it('is explained by a list that has grown', () => {
		const list = reader();
		list.add(0, page(1, 2, stating));
		expect(list.add(1, page(2, 3, { ...stating, totalElements: 11 }))).toBe(false);
	});
});

describe('a list is complete', () => {
	it('at its limit, not before', () => {
		const list = reader({ pageSize: 2, limit: 4 });
		list.add(0, page(1, 2, stating));
		expect(list.complete).toBe(false);
		list.add(1, page(3, 4, stating));
		expect(list.complete).toBe(true);
	});

	it('with a record sent without a list, unless the page size is one', () => {
		const alone: RecordPage = { records: uploads(1, 1), page: { last: true }, isAlone: true };
		const [many, single] = [reader({ pageSize: 100 }), reader({ pageSize: 1 })];
		many.add(0, alone);
		single.add(0, alone);
		expect([many.complete, single.complete]).toEqual([true, false]);
	});

	it('with the page that says so, even if the page size is one', () => {
		const list = reader({ pageSize: 1 });
		list.add(0, page(1, 1, { last: true }));
		expect(list.complete).toBe(true);
	});

	it.each([
		['with as many records as it counts', 2, { totalElements: 2 }, true],
		['not with fewer', 2, { totalElements: 3 }, false],
		['with one page of no stated size', 2, {}, true],
		['not with a full page of a stated size', 2, { size: 2 }, false],
		['with a page shorter than its stated size', 2, { size: 3 }, true],
	])('without page parameters: %s', (_what, count, stated, complete) => {
		const list = reader({});
		list.add(0, page(1, count, stated));
		expect(list.complete).toBe(complete);
	});
});
