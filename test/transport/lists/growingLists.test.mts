import fc from 'fast-check';
import type { RecordPage } from '../../../nodes/EngagementUploads/transport/responses/responses.ts';
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

/** A service that answers this many requests at a time, round by round. */
class SlowService extends PagedService {
	private readonly waiting: Array<() => void> = [];
	round = 0;

	readonly fetch = async (page: number): Promise<RecordPage> => {
		await new Promise<void>((answer) => this.waiting.push(answer));
		return this.answer(page);
	};

	/** Responds until the work is done; `pick` selects which pending requests to answer. */
	async serve<T>(work: Promise<T>, pick: (waiting: number) => number[]): Promise<T> {
		let isDone = false;
		void work.finally(() => (isDone = true)).catch(() => undefined);
		await settled();
		while (!isDone) {
			this.round++;
			const picked = pick(this.waiting.length).map((index) => this.waiting[index]);
			for (const answer of picked) {
				this.waiting.splice(this.waiting.indexOf(answer as () => void), 1);
				answer?.();
			}
			await settled();
		}
		return await work;
	}
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

it.each([
	['in the order requested', 1.1, (waiting: number) => range(waiting)],
	['one round after the other', 1.1, (waiting: number) => range(Math.min(waiting, 8))],
	['in another order', 2.5, (waiting: number) => range(Math.min(waiting, 8)).toReversed()],
])('few pages of a growing list are requested twice if answered %s', async (_what, most, pick) => {
	const joining = range(1000).map((index) => ({ before: index * 50, at: 0.999 }));
	const service = new SlowService({ pageInfo: 'spring', count: 2000, size: 10, joining });
	const ids = await service.serve(idsOf(service, { fetch: service.fetch, parallel: 64 }), pick);
	expect(ids.filter((id) => String(id).startsWith('start'))).toEqual(service.atStart);
	expect(service.asked.length).toBeLessThanOrEqual(200 * most);
});
