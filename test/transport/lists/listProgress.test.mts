import { upload } from '../../../nodes/EngagementUploads/service/records.ts';
import { ListProgress } from '../../../nodes/EngagementUploads/transport/lists/listProgress.ts';
import type { PageFields } from '../../../nodes/EngagementUploads/transport/responses/request.ts';

/** A page with records of these IDs. */
const pageOf = (ids: string, page: PageFields = {}, isAlone = false) => ({
	records: [...ids].map((uploadId) => ({ uploadId })),
	page,
	isAlone,
});

function progress(pageSize?: number, start = 0) {
	return new ListProgress(upload, pageSize, start);
}

it('pages requested at once follow from the first page, also of a list that is read from a later one', () => {
	const stated = { totalPages: 12, totalElements: 24 };
	const list = progress(2, 4);
	list.add(4, pageOf('ab', stated));
	list.add(5, pageOf('c', stated));
	expect(list.pagesToRequest(4, 64)).toBe(2);
	expect(list.pagesToRequest(0, 64)).toBe(1);
	list.add(6, pageOf('de', { totalPages: 9 }));
	list.add(7, pageOf('fg', stated));
	expect(list.pagesToRequest(6, 64)).toBe(1);
});

it('one page at a time is requested if the list has no more records than the first page', () => {
	const list = progress(2);
	list.add(0, pageOf('ab', { totalPages: 9, totalElements: 2 }));
	expect(list.pagesToRequest(100, 64)).toBe(1);
});

it('a list with records that states no pages goes on', () => {
	const list = progress(2);
	list.add(0, pageOf('ab', { totalPages: 0 }));
	expect(list.isComplete).toBe(false);
});

it('a list whose pages are numbered from 1 has one more page than its count says', () => {
	const list = progress(2);
	const stated = { totalPages: 3, totalElements: 6 };
	for (const [page, ids] of ['ab', 'ab', 'cd'].entries()) list.add(page, pageOf(ids, stated));
	expect([list.isComplete, list.nextPage]).toEqual([false, 3]);
	list.add(3, pageOf('ef', stated));
	expect(list.isComplete).toBe(true);
});

it('a page that repeats records is shifted unless the list has grown by then', () => {
	const list = progress(2);
	expect(list.add(0, pageOf('ab', { totalElements: 6 })).isShifted).toBe(false);
	expect(list.add(1, pageOf('bc', { totalElements: 7 })).isShifted).toBe(false);
	expect(list.add(2, pageOf('cd', { totalElements: 7 })).isShifted).toBe(true);
	expect(list.add(3, pageOf('de')).isShifted).toBe(true);
});

it('a list of pages of one goes on after a record without page fields, even one that names its end', () => {
	const list = progress(1);
	list.add(0, pageOf('a', { last: true }, true));
	expect(list.isComplete).toBe(false);
	list.add(1, pageOf('b', { last: true }));
	expect(list.isComplete).toBe(true);
});

it('returns once to a page that repeated others, not to an empty one, if records are missing', () => {
	const stated = { totalPages: 4, totalElements: 8 };
	const list = progress(2);
	for (const [page, ids] of ['ab', '', 'ab', 'cd'].entries())
		list.add(page, pageOf(ids, { ...stated, last: page === 3 }));
	expect([list.isComplete, list.nextPage]).toEqual([false, 2]);
	list.add(2, pageOf('ab', { ...stated, last: true }));
	expect(list.isComplete).toBe(true);
});

it('ends where the service says so if no page was repeated, though records are missing', () => {
	const list = progress(2);
	list.add(0, pageOf('ab', { last: true, totalElements: 8 }));
	expect(list.isComplete).toBe(true);
});

it.each<[PageFields, boolean]>([
	[{}, true],
	[{ size: 2 }, false],
	[{ totalElements: 2 }, true],
	[{ totalElements: 3 }, false],
	[{ totalElements: 3, size: 2 }, false],
])('a list that is not paged ends after a first page with %j: %j', (page, isComplete) => {
	const list = progress();
	list.add(0, pageOf('ab', page));
	expect(list.isComplete).toBe(isComplete);
});
