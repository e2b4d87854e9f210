/** What polls of the trigger cost: `npx tsx test/bench/trigger.mts`. */
import { performance } from 'node:perf_hooks';
import { parametersOf } from '../trigger/histories/player.mts';
import type { History } from '../trigger/histories/history.mts';
import { LightTrigger } from '../trigger/histories/lightTrigger.mts';
import { World } from '../trigger/histories/world.mts';

const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 5, 15, 10);

/** A service with so many uploads, the newest completed just now. */
function worldWith(count: number, everyMs: number, start: History['start']): World {
	const world = new World({
		...{ event: 'uploadCompleted', begin: BEGIN, settings: { maxPageSize: 1000 }, zone: 'UTC' },
		...{ isMixed: false, filtersDays: false, behind: 0, requestTime: 0, durable: false, start },
		...{ lookback: 120 * MINUTE, followFor: 0, maxUploads: 1000, pageSize: 100, filters: {} },
		...{ uploads: [], steps: [] },
	});
	for (let age = count; age > 0; age--)
		world.service.model.addCompletedUpload({ completedAt: BEGIN - age * everyMs, engagementId: 1 });
	return world;
}

async function measure(what: string, world: World, polls: number): Promise<void> {
	const trigger = new LightTrigger(world, parametersOf(world.history, world.history));
	await trigger.poll();
	if (world.history.start.startFrom === 'now') await trigger.poll();
	let requests = 0;
	const handle = world.service.handle.bind(world.service);
	world.service.handle = (request) => {
		requests += 1;
		return handle(request);
	};
	let emitted = 0;
	const [begun, cpu] = [performance.now(), process.cpuUsage()];
	for (let poll = 0; poll < polls; poll++) emitted += (await trigger.poll())?.length ?? 0;
	const { user, system } = process.cpuUsage(cpu);
	console.log(
		[
			what,
			`${requests / polls} requests a poll`,
			`${Math.round((user + system) / 1000 / polls)} ms CPU a poll, with the service`,
			`${Math.round((performance.now() - begun) / polls)} ms`,
			`${emitted} emitted`,
			`state ${JSON.stringify(trigger.nodeState).length} bytes`,
		].join(' | '),
	);
}

async function main(): Promise<void> {
	await measure('Nothing new', worldWith(2000, 5 * MINUTE, { startFrom: 'now' }), 20);
	await measure('Window of 5,000', worldWith(5000, 1400, { startFrom: 'now' }), 5);
	await measure('Window of 10,000', worldWith(10_000, 700, { startFrom: 'now' }), 5);
	await measure('Backlog of 100,000', worldWith(100_000, MINUTE, { startFrom: 'beginning' }), 20);
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
