/** Pages of a list that are answered in any order, fail or hang. */
import fc from 'fast-check';
import { playOut } from '../../support/anyOrder.mts';
import { count, idsOf, parallel, size } from './listReading.mts';
import { PagedService } from './pagedService.mts';

const given = fc.record({
	pageInfo: fc.constantFrom(
		...(['spring', 'nestedPage', 'totalPagesAndNumber', 'totalPages'] as const),
	),
	count,
	size,
	parallel,
	limit: fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined }),
	/** Pages that fail, or that are never answered. */
	broken: fc.uniqueArray(fc.record({ page: fc.nat(12), how: fc.constantFrom('fails', 'hangs') }), {
		maxLength: 2,
		selector: ({ page }) => page,
	}),
});

it('reads all records in order or up to the first failure, and requests no page in vain', async () => {
	const property = fc.asyncProperty(fc.scheduler(), given, async (scheduler, drawn) => {
		const { parallel, limit, broken } = drawn;
		const service = new PagedService(drawn);
		const requested: number[] = [];
		const wanted: Array<() => boolean> = [];
		let inFlight = 0;
		let mostInFlight = 0;
		const fetch = async (page: number, isWanted: () => boolean) => {
			requested.push(page);
			wanted.push(isWanted);
			mostInFlight = Math.max(mostInFlight, ++inFlight);
			await scheduler.schedule(Promise.resolve(), `page ${page}`);
			const { how } = broken.find((each) => each.page === page) ?? {};
			if (how === 'hangs') await new Promise(() => {});
			inFlight--;
			if (how === 'fails') throw new Error(`page ${page} failed`);
			return service.answer(page);
		};
		let outcome: unknown;
		void idsOf(service, { fetch, parallel, limit }).then(
			(ids) => (outcome = ids),
			(error: Error) => (outcome = error.message),
		);
		await playOut(scheduler);

		// As many pages as a reader needs who knows how many there are.
		const needed = Math.max(1, Math.ceil(Math.min(drawn.count, limit ?? Infinity) / drawn.size));
		const [first] = broken
			.filter(({ page }) => page < needed)
			.toSorted((one, other) => one.page - other.page);
		if (first === undefined) expect(outcome).toEqual(service.atStart.slice(0, limit));
		else expect(outcome).toBe(first.how === 'hangs' ? undefined : `page ${first.page} failed`);
		// Pages are wanted only until the list has been read or has failed.
		expect(wanted.some((isWanted) => isWanted())).toBe(outcome === undefined);
		expect(new Set(requested).size).toBe(requested.length);
		expect(mostInFlight).toBeLessThanOrEqual(parallel);
		const last = Math.min(needed, (first?.page ?? Infinity) + parallel) - 1;
		expect(Math.max(...requested)).toBeLessThanOrEqual(last);
		if (first !== undefined) return;
		expect(requested).toHaveLength(needed);
		// Without a number of records, the next page is requested alone.
		const isCounted = ['spring', 'nestedPage'].includes(drawn.pageInfo);
		expect(mostInFlight).toBe(isCounted ? Math.max(1, Math.min(parallel, needed - 1)) : 1);
	});
	await fc.assert(property, { numRuns: 200 });
});
