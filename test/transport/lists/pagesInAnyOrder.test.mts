/** Pages of a list that are answered in any order, fail or hang. */
import fc from 'fast-check';
import { playOut } from '../../support/anyOrder.mts';
import { count, idsOf, parallel, size } from './listReading.mts';
import { PagedService } from './pagedService.mts';

interface Given {
	count: number;
	size: number;
	parallel: number;
	limit: number | undefined;
	/** Pages that fail, or that are never answered. */
	broken: Array<{ page: number; how: 'fails' | 'hangs' }>;
}

const given: fc.Arbitrary<Given> = fc.record({
	count,
	size,
	parallel,
	limit: fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined }),
	broken: fc.uniqueArray(fc.record({ page: fc.nat(12), how: fc.constantFrom('fails', 'hangs') }), {
		maxLength: 2,
		selector: ({ page }) => page,
	}),
});

/** Reads a list whose responses come when the scheduler says so. */
class Reading {
	readonly service: PagedService;
	readonly requested: number[] = [];
	inFlight = 0;
	mostInFlight = 0;
	outcome: { ids: unknown[] } | { error: string } | undefined;
	private readonly wanted: Array<() => boolean> = [];

	constructor(
		private readonly scheduler: fc.Scheduler,
		private readonly given: Given,
	) {
		this.service = new PagedService({ pageInfo: 'spring', ...given });
	}

	/** The number of pages that a reader needs who knows how many there are. */
	get needed(): number {
		const records = Math.min(this.given.count, this.given.limit ?? Infinity);
		return Math.max(1, Math.ceil(records / this.given.size));
	}

	/** The page at which reading ends early. */
	get broken(): Given['broken'][number] | undefined {
		const { needed } = this;
		return this.given.broken
			.filter(({ page }) => page < needed)
			.toSorted((one, other) => one.page - other.page)[0];
	}

	/** Whether any page is still wanted. */
	get isAnyWanted(): boolean {
		return this.wanted.some((isWanted) => isWanted());
	}

	async toTheEnd(): Promise<this> {
		const { parallel, limit } = this.given;
		const fetch = async (page: number, isWanted: () => boolean) => {
			this.requested.push(page);
			this.wanted.push(isWanted);
			this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
			await this.scheduler.schedule(Promise.resolve(), `page ${page}`);
			const { how } = this.given.broken.find((broken) => broken.page === page) ?? {};
			if (how === 'hangs') await new Promise(() => {});
			this.inFlight--;
			if (how === 'fails') throw new Error(`page ${page} failed`);
			return this.service.answer(page);
		};
		void idsOf(this.service, { fetch, parallel, limit }).then(
			(ids) => (this.outcome = { ids }),
			(error: Error) => (this.outcome = { error: error.message }),
		);
		await playOut(this.scheduler);
		return this;
	}
}

it('reads all records in order or up to the first failure, and requests no page in vain', async () => {
	const property = fc.asyncProperty(fc.scheduler(), given, async (scheduler, drawn) => {
		const reading = await new Reading(scheduler, drawn).toTheEnd();
		const { service, outcome, broken, requested, needed, mostInFlight, isAnyWanted } = reading;
		if (broken === undefined)
			expect(outcome).toEqual({ ids: service.atStart.slice(0, drawn.limit) });
		else if (broken.how === 'hangs') expect(outcome).toBeUndefined();
		else expect(outcome).toEqual({ error: `page ${broken.page} failed` });
		// Pages are wanted only until the list has been read or has failed.
		expect(isAnyWanted).toBe(outcome === undefined);
		expect(new Set(requested).size).toBe(requested.length);
		expect(mostInFlight).toBeLessThanOrEqual(drawn.parallel);
		const last = Math.min(needed, (broken?.page ?? Infinity) + drawn.parallel) - 1;
		expect(Math.max(...requested)).toBeLessThanOrEqual(last);
		if (broken === undefined) expect(requested).toHaveLength(needed);
	});
	await fc.assert(property, { numRuns: 200 });
});
