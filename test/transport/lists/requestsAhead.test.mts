import { settled } from '../../support/anyOrder.mts';
import { idsOf } from './listReading.mts';
import { PagedService } from './pagedService.mts';
import type { RecordPage } from '../../../nodes/EngagementUploads/transport/responses/responses.ts';

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
