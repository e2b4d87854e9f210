/** Polls for hours, with executions in between, and looks at what is left behind. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { makeEndpointCredential } from '../support/world/credentials.mts';
import { run } from '../support/engine/runs.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { isLong } from '../support/long.mts';
import { startService } from '../support/service/http.mts';
import { listIds, makePoller } from '../support/engine/polls.mts';
import { setClocks } from '../support/time/clocks.mts';

jest.setTimeout(3_600_000);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A day, or as long as it takes to see what each poll leaves behind. */
const POLLS = isLong ? 1440 : 120;
const SAMPLES = 6;
/** Without a leak, the heap grows by less than half of this. */
const MAX_GROWTH = isLong ? 10_000_000 : 3_000_000;
/** One poll in so many fails. */
const FAILS_AFTER = 10;
const MINUTE = 60_000;
const START = Date.UTC(2026, 5, 15);
const ENGAGEMENTS = 20;

/** What the process and the trigger's state hold. */
function measure(state: object) {
	collectGarbage();
	// Connections, timers and servers.
	const kinds = process.getActiveResourcesInfo();
	return {
		heapBytes: process.memoryUsage().heapUsed,
		stateBytes: JSON.stringify(state).length,
		handles: kinds.filter((kind) => /TCP|TLS|Timeout|Immediate|Pipe|Server/.test(kind)).length,
	};
}

it('emits every upload once, and leaves no memory, socket, timer or warning behind', async () => {
	const warnings: string[] = [];
	const note = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
	process.on('warning', note);
	const service = await startService({ record: false });
	const { model } = service;
	model.clock.set(START);
	const { now, sleep } = systemClock;
	// So that tokens get old: a new one that has expired is tried again for a while.
	const resetClocks = setClocks(Date.now, () => now() + model.now - START, sleep);
	model.addConnector({ name: 'cloudbooks' });
	for (let id = 1; id <= ENGAGEMENTS; id += 1) model.addEngagement({ id });
	const credential = new CredentialStore(makeEndpointCredential(service));
	const poller = makePoller(service, {}, { credential });
	await poller.poll();
	const samples: Array<ReturnType<typeof measure>> = [];
	const [completed, emitted, failures]: [string[], string[], unknown[]] = [[], [], []];
	for (let poll = 1; poll <= POLLS; poll += 1) {
		model.clock.move(MINUTE);
		const engagementId = (poll % ENGAGEMENTS) + 1;
		if (poll % 3 === 0) completed.push(model.addCompletedUpload({ engagementId }).uploadId);
		if (poll % 15 === 0) service.expireTokens();
		if (poll % FAILS_AFTER === 0) service.fail({}, { kind: 'html' });
		await listIds(poller).then(
			(ids) => emitted.push(...ids),
			(error: unknown) => failures.push(error),
		);
		// Executions read, and one in two is refused.
		const given = { resource: 'company', operation: 'get' };
		for (const id of [engagementId, 999])
			await run(service, { ...given, engagementId: id }, [{}, {}, {}], { credential });
		if (poll % (POLLS / SAMPLES) === 0) samples.push(measure(poller.globalState));
	}
	emitted.push(...(await listIds(poller)));
	await service.close();
	resetClocks();
	process.off('warning', note);

	expect(emitted).toEqual(completed);
	expect(failures).toHaveLength(Math.floor(POLLS / FAILS_AFTER));
	expect(warnings).toEqual([]);
	expect(samples.at(-1)?.stateBytes).toBeLessThan(10_000);
	// By the second sample, everything has been loaded.
	const growth = (what: keyof ReturnType<typeof measure>) =>
		(samples.at(-1)?.[what] ?? Infinity) - (samples[1]?.[what] ?? 0);
	// Connections are kept alive for the next request.
	expect(growth('handles')).toBeLessThanOrEqual(4);
	expect(growth('heapBytes')).toBeLessThan(MAX_GROWTH);
});
