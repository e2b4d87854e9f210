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

/* `npm run soak` simulates a whole day. */
const plan =
	process.env.SOAK === 'long'
		? { polls: 1440, executions: 5000, samples: 12 }
		: { polls: 240, executions: 120, samples: 6 };
const MEGABYTE = 1_000_000;

const MINUTE = 60_000;
const ENGAGEMENTS = 20;

/** A snapshot of the process's resources. */
interface Sample {
	heapBytes: number;
	stateBytes: number;
	/** Kinds of the runtime's own handles. */
	resources: string[];
}

/** The result of a soak. */
interface Soaked {
	samples: Sample[];
	emitted: string[];
	completed: string[];
	failures: string[];
}

/** Polls for a compressed day while uploads complete, with executions in between. */
async function soak(): Promise<Soaked> {
	const { polls, executions, samples } = plan;
	const service = await startService({ record: false });
	const { model } = service;
	model.setClock(Date.UTC(2026, 5, 15));
	model.addConnector({ name: 'cloudbooks' });
	for (let id = 1; id <= ENGAGEMENTS; id += 1) model.addEngagement({ id });
	const store = new CredentialStore({ [CREDENTIAL]: endpointCredentialOf(service) });
	const poller = pollerOf(service, {}, { credentials: store });
	await poller.poll();
	const soaked: Soaked = { samples: [], emitted: [], completed: [], failures: [] };
	for (let poll = 1; poll <= polls; poll += 1) {
		model.moveClock(MINUTE);
		if (poll % 3 === 0) soaked.completed.push(complete(service, poll));
		// Tokens live for an hour, and one poll in fifty fails.
		if (poll % 60 === 0) service.expireTokens();
		if (poll % 50 === 0) service.fail({}, { kind: 'html' });
		const [polled] = await Promise.allSettled([poller.poll()]);
		if (polled.status === 'fulfilled') soaked.emitted.push(...idsOf(polled.value));
		else soaked.failures.push(String(polled.reason));
		const due =
			Math.floor((poll * executions) / polls) - Math.floor(((poll - 1) * executions) / polls);
		for (let run = 0; run < due; run += 1) await execute(service, store, poll + run);
		if (poll % Math.floor(polls / samples) === 0) soaked.samples.push(measure(poller.state));
	}
	soaked.emitted.push(...idsOf(await poller.poll()));
	await service.close();
	return soaked;
}

function complete({ model }: SimulatedService, poll: number): string {
	return model.addCompletedUpload({ engagementId: (poll % ENGAGEMENTS) + 1 }).uploadId;
}

const idsOf = (items: INodeExecutionData[] | null) =>
	(items ?? []).map(({ json }) => String(json.uploadId));

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
	return {
		heapBytes: process.memoryUsage().heapUsed,
		stateBytes: JSON.stringify(state).length,
		resources: process.getActiveResourcesInfo(),
	};
}

const warnings: string[] = [];
const note = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);

let soaked: Soaked;
beforeAll(async () => {
	process.on('warning', note);
	soaked = await soak();
	process.off('warning', note);
	if (process.env.SOAK === 'long') console.table(soaked.samples.map(shown));
});

/** What `npm run soak` prints. */
function shown({ heapBytes, stateBytes, resources }: Sample) {
	return { heapMB: heapBytes / MEGABYTE, stateBytes, handles: resources.length };
}

const second = <T,>(list: T[]) => list[1] as T;
const last = <T,>(list: T[]) => list.at(-1) as T;

it('emits every upload once', () => {
	expect(soaked.emitted).toEqual(soaked.completed);
	expect(soaked.failures).toHaveLength(Math.floor(plan.polls / 50));
});

it('keeps no more in the state than what completed within the look-back', () => {
	const sizes = soaked.samples.map(({ stateBytes }) => stateBytes);
	expect(last(sizes)).toBeLessThan(Math.max(...sizes.slice(0, -1)) * 1.2);
	expect(last(sizes)).toBeLessThan(10_000);
});

it('leaves no socket, listener or timer behind', () => {
	const counted = ({ resources }: Sample) =>
		resources.filter((kind) => /TCP|TLS|Timeout|Immediate|Pipe|Server/.test(kind)).length;
	const counts = soaked.samples.map(counted);
	// Handles from the start, and connections kept alive for the next request.
	expect(last(counts)).toBeLessThanOrEqual(second(counts) + 4);
});

it('does not let the heap grow', () => {
	const heaps = soaked.samples.map(({ heapBytes }) => heapBytes);
	expect(last(heaps) - second(heaps)).toBeLessThan(10 * MEGABYTE);
});

it('causes no warnings, such as about too many listeners', () => {
	expect(warnings).toEqual([]);
});
