import { Queue } from '../queue.mts';
import { measureKill } from '../scale/killing.mts';
import { template } from './setup.mts';

/** n8n notices a dead worker in about 45 s instead of two minutes. */
const NOTICE_SOON = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};
const ENGAGEMENTS = 300;
const UPLOADS = { perSecond: 40, seconds: 10 };

let queue: Queue;

beforeAll(async () => {
	queue = await Queue.open(template(), { concurrency: 3, env: NOTICE_SOON });
});

afterAll(async () => await queue?.close());

// docs/scale.md#a-worker-that-dies
test('a killed worker loses only what it was working on, and nothing is done twice', async () => {
	const result = await measureKill(queue, {
		...{ how: 'killed', workers: 2, ...UPLOADS },
		...{ engagements: ENGAGEMENTS, batchSize: 25, parallelRequests: 1 },
	});
	expect(result.failed).toBeGreaterThan(0);
	expect(result.reported).toBe(result.failed);
	expect(result.refreshed).toMatchObject({ more: 0 });
	expect(result.refreshed.never).toBeGreaterThan(0);
	expect(result.processed).toMatchObject({ more: 0 });
	expect(result.unaccounted).toBe(0);
	expect(result.refreshedAfterwards).toEqual({ never: 0, once: ENGAGEMENTS, more: 0 });
});
