import fc from 'fast-check';
import type { RecordPage } from '../../../nodes/EngagementUploads/transport/responses.ts';
import { settled } from '../../support/anyOrder.mts';
import { behaviours, count, idsOf, parallel, recordsOf, type ReadOptions } from './listReading.mts';
import { PagedService, type Joining } from './pagedService.mts';

const place = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.999, noNaN: true }));
/** Records that join the list while pages are read, at most one before each response. */
const joinings: fc.Arbitrary<Joining[]> = fc.uniqueArray(
	fc.record({ before: fc.nat(20), at: place }),
	{ selector: ({ before }) => before, maxLength: 12 },
);

/** Reads a list with responses in whatever order the scheduler chooses. */
async function idsInAnyOrder(
	scheduler: fc.Scheduler,
	service: PagedService,
	options: ReadOptions,
): Promise<unknown[]> {
	const fetch = async (page: number) => {
		await scheduler.schedule(Promise.resolve());
		return service.answer(page);
	};
	return await scheduler.waitFor(idsOf(service, { ...options, fetch }));
}

function expectNoneTwice(ids: unknown[]): void {
	expect(ids).toHaveLength(new Set(ids).size);
}

describe('a list that grows while it is read', () => {
	it('loses no initial record, keeps the order, and returns none twice', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				behaviours,
				joinings,
				parallel,
				async (scheduler, behaviour, joining, most) => {
					const service = new PagedService({ ...behaviour, joining });
					const ids = await idsInAnyOrder(scheduler, service, { parallel: most });
					const old = ids.filter((id) => String(id).startsWith('start'));
					expect(old).toEqual(service.atStart);
					expectNoneTwice(ids);
				},
			),
			{ numRuns: 600 },
		);
	});

	it('loses none if as many leave as join, and a page is answered after the next ones', async () => {
		const ids = Array.from({ length: 10 }, (_, index) => `start ${index}`);
		const fetch = async (page: number) => {
			if (page === 1 && ids.length === 10 && ids[0] === 'start 0') {
				await new Promise(setImmediate);
				ids.unshift('joined');
				ids.pop();
			}
			const records = ids.slice(2 * page, 2 * page + 2).map((uploadId) => ({ uploadId }));
			return { records, page: { last: page >= 4, totalPages: 5, totalElements: 10, number: page } };
		};
		const found = (await recordsOf({ fetch })).map(({ uploadId }) => uploadId);
		expect(new Set(found)).toEqual(new Set(Array.from({ length: 9 }, (_, at) => `start ${at}`)));
	});

	it.each(['nothing', 'lastOnly', 'totalPagesAndNumber'] as const)(
		'continues after a page that contains only the record pushed onto it (%s)',
		async (pageInfo) => {
			const joining = [{ before: 1, at: 0 }];
			const service = new PagedService({ pageInfo, count: 5, size: 1, joining });
			expect(await idsOf(service, { pageSize: 1 })).toEqual(service.atStart);
		},
	);

	it.each(['spring', 'nestedPage', 'totalPagesAndNumber'] as const)(
		'is read completely even if more than a page of records joins at once (%s)',
		async (pageInfo) => {
			const bursts = fc.array(fc.record({ before: fc.nat(6), at: place }), {
				maxLength: 40,
				size: 'max',
			});
			await fc.assert(
				fc.asyncProperty(fc.scheduler(), count, bursts, async (scheduler, records, joining) => {
					const service = new PagedService({ pageInfo, count: records, size: 5, joining });
					const ids = await idsInAnyOrder(scheduler, service, { parallel: 4 });
					expect(ids.filter((id) => String(id).startsWith('start'))).toEqual(service.atStart);
					expectNoneTwice(ids);
				}),
				{ numRuns: 250 },
			);
		},
	);
});

/** A service that answers some of the pending requests at a time, round by round. */
class SlowService extends PagedService {
	private waiting: Array<() => void> = [];

	readonly fetch = async (page: number): Promise<RecordPage> => {
		await new Promise<void>((answer) => this.waiting.push(answer));
		return this.answer(page);
	};

	/** Responds until nothing is asked any more; `pick` chooses what is answered in a round, in its order. */
	async serve(pick: <T>(waiting: T[]) => T[]): Promise<void> {
		await settled();
		while (this.waiting.length > 0) {
			const picked = pick(this.waiting);
			this.waiting = this.waiting.filter((answer) => !picked.includes(answer));
			for (const answer of picked) answer();
			await settled();
		}
	}
}

it.each<[string, number, <T>(waiting: T[]) => T[]]>([
	['in the order requested', 1.1, (waiting) => waiting],
	['one round after the other', 1.1, (waiting) => waiting.slice(0, 8)],
	['in another order', 1.5, (waiting) => waiting.slice(0, 8).toReversed()],
])('few pages of a growing list are requested twice if answered %s', async (_what, most, pick) => {
	const joining = Array.from({ length: 1000 }, (_, index) => ({ before: index * 50, at: 0.999 }));
	const service = new SlowService({ pageInfo: 'spring', count: 2000, size: 10, joining });
	const reading = idsOf(service, { fetch: service.fetch, parallel: 64 });
	await service.serve(pick);
	const ids = await reading;
	expect(ids.filter((id) => String(id).startsWith('start'))).toEqual(service.atStart);
	expect(service.asked.length).toBeLessThanOrEqual(200 * most);
});
