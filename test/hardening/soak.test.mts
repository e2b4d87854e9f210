import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { INodeExecutionData } from 'n8n-workflow';

import { CREDENTIAL, endpointCredentialOf } from '../support/credentials.mts';
import { setupOf } from '../support/runs.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { runNode } from '../support/engine/run.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { pollerOf } from '../support/polls.mts';

jest.setTimeout(3_600_000);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/* `SOAK=long` simulates a whole day. */
const plan =
	process.env.SOAK === 'long'
		? { polls: 1440, executionsBetween: 7, samples: 12 }
		: { polls: 240, executionsBetween: 1, samples: 6 };
const MINUTE = 60_000;
const ENGAGEMENTS = 20;

/** What the process and the trigger's state hold. */
interface Sample {
	heapBytes: number;
	stateBytes: number;
	/** Sockets, timers and servers. */
	handles: number;
}

const samples: Sample[] = [];
const emitted: string[] = [];
const completed: string[] = [];
const failures: string[] = [];
const warnings: string[] = [];
const note = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);

/** Polls for a compressed day while uploads complete, with executions in between. */
beforeAll(async () => {
	process.on('warning', note);
	const service = await startService({ record: false });
	const { model } = service;
	model.setClock(Date.UTC(2026, 5, 15));
	model.addConnector({ name: 'cloudbooks' });
	for (let id = 1; id <= ENGAGEMENTS; id += 1) model.addEngagement({ id });
	const store = new CredentialStore({ [CREDENTIAL]: endpointCredentialOf(service) });
	const poller = pollerOf(service, {}, { credentials: store });
	await poller.poll();
	for (let poll = 1; poll <= plan.polls; poll += 1) {
		model.moveClock(MINUTE);
		const engagementId = (poll % ENGAGEMENTS) + 1;
		if (poll % 3 === 0) completed.push(model.addCompletedUpload({ engagementId }).uploadId);
		// Tokens live for an hour, and one poll in fifty fails.
		if (poll % 60 === 0) service.expireTokens();
		if (poll % 50 === 0) service.fail({}, { kind: 'html' });
		await poller.poll().then(emit, (error: unknown) => failures.push(String(error)));
		const executions = poll % 2 === 0 ? plan.executionsBetween : 0;
		for (let run = 0; run < executions; run += 1) await execute(service, store, poll + run);
		if (poll % (plan.polls / plan.samples) === 0) samples.push(measure(poller.state));
	}
	emit(await poller.poll());
	await service.close();
	process.off('warning', note);
	if (process.env.SOAK === 'long') console.table(samples);
});

function emit(items: INodeExecutionData[] | null): void {
	emitted.push(...(items ?? []).map(({ json }) => String(json.uploadId)));
}

/** Reads, with rejected requests in between. */
async function execute(
	service: SimulatedService,
	credential: CredentialStore,
	turn: number,
): Promise<void> {
	const engagementId = turn % 4 === 0 ? 999 : (turn % ENGAGEMENTS) + 1;
	const parameters = { resource: 'company', operation: 'get', engagementId };
	const result = await runNode(setupOf(service, parameters, [{}, {}, {}], { credential }));
	if ((result.error !== undefined) !== (engagementId === 999))
		throw result.error ?? new Error('No error');
}

function measure(state: object): Sample {
	collectGarbage();
	const kinds = process.getActiveResourcesInfo();
	return {
		heapBytes: process.memoryUsage().heapUsed,
		stateBytes: JSON.stringify(state).length,
		handles: kinds.filter((kind) => /TCP|TLS|Timeout|Immediate|Pipe|Server/.test(kind)).length,
	};
}

/** How much there is more of at the end than near the beginning, when everything has been loaded. */
function growthOf(what: keyof Sample): number {
	return (samples.at(-1)?.[what] ?? Infinity) - (samples[1]?.[what] ?? 0);
}

it('emits every upload once', () => {
	expect(emitted).toEqual(completed);
	expect(failures).toHaveLength(Math.floor(plan.polls / 50));
});

it('keeps no more in the state than what completed within the look-back', () => {
	const sizes = samples.map(({ stateBytes }) => stateBytes);
	expect(sizes.at(-1)).toBeLessThan(Math.max(...sizes.slice(0, -1)) * 1.2);
	expect(sizes.at(-1)).toBeLessThan(10_000);
});

it('leaves no socket or timer behind, and does not let the heap grow', () => {
	// Connections are kept alive for the next request.
	expect(growthOf('handles')).toBeLessThanOrEqual(4);
	expect(growthOf('heapBytes')).toBeLessThan(10_000_000);
});

it('causes no warnings, such as about too many listeners', () => {
	expect(warnings).toEqual([]);
});
