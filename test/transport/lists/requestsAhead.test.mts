import { settled } from '../../support/anyOrder.mts';
import { idsOf } from './listReading.mts';
import { PagedService } from './pagedService.mts';
import type { RecordPage } from '../../../nodes/EngagementUploads/transport/lists/responses.ts';

const never = async () => await new Promise<never>(() => {});

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

describe('a list that grows while pages are requested ahead', () => {
	const PAGES = 200;
	const growing = (every: number) =>
		new SlowService({
			pageInfo: 'spring',
			count: PAGES * 10,
			size: 10,
			joining: range(1000).map((index) => ({ before: index * every, at: 0.999 })),
		});

	it.each([
		['in the order requested', 1.1, (waiting: number) => range(waiting)],
		['one round after the other', 1.1, (waiting: number) => range(Math.min(waiting, 8))],
		['in another order', 2.5, (waiting: number) => range(Math.min(waiting, 8)).toReversed()],
	])('requests few pages twice if responses come %s', async (_what, most, pick) => {
		const service = growing(50);
		const ids = await service.serve(idsOf(service, { fetch: service.fetch, parallel: 64 }), pick);
		expect(ids.filter((id) => String(id).startsWith('start'))).toEqual(service.atStart);
		expect(service.asked.length).toBeLessThanOrEqual(PAGES * most);
	});
});

it('pages requested ahead are neither awaited nor wanted beyond the last page', async () => {
	const list = new PagedService({ pageInfo: 'spring', count: 60, size: 10 });
	const wanted: Array<() => boolean> = [];
	const isWantedAtTheAnswer: boolean[] = [];
	const fetch = async (page: number, isWanted: () => boolean) => {
		wanted.push(isWanted);
		if (page > 2) return await never();
		await settled();
		isWantedAtTheAnswer.push(isWanted());
		const answer = list.answer(page);
		return page < 2 ? answer : { ...answer, page: { ...answer.page, last: true } };
	};
	expect(await idsOf(list, { fetch })).toEqual(list.atStart.slice(0, 30));
	expect(isWantedAtTheAnswer).toEqual([true, true, true]);
	expect(wanted.some((isWanted) => isWanted())).toBe(false);
});
