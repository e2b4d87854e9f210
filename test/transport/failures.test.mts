import { runNode, type NodeResult } from '../engine/run.mts';
import type { SimulatedService } from '../service/http.mts';
import type { RecordedRequest } from '../service/log.mts';
import { errorText, run, setupOf, until } from '../actions/setup.mts';
import { smallWorld } from '../actions/world.mts';
import { cases, get, post, tooMany, type Case } from './failureCases.mts';

/*
 * Real retries take seconds, so all cases start together, each with an engagement of its own, and
 * the tests look at what came of them.
 */

interface Seen {
	result: NodeResult;
	requests: RecordedRequest[];
	refreshed: number;
}

let service: SimulatedService;
let unreachable: Promise<NodeResult>;
const played = new Map<string, Promise<Seen>>();

async function play(engagementId: number, { parameters, fault, times }: Case): Promise<Seen> {
	const path = new RegExp(`/engagements/${engagementId}/`);
	service.fail({ path }, fault, { times: times ?? Infinity });
	const result = await runNode(setupOf(service, { ...parameters, engagementId }));
	return {
		result,
		requests: service.requests.filter((request) => path.test(request.path)),
		refreshed: service.model.uploads.of(engagementId).length,
	};
}

/** Refreshes data at a service that is not there any more. */
async function refreshUnreachable(): Promise<NodeResult> {
	const { service: gone } = await smallWorld();
	const setup = setupOf(gone, post);
	await gone.close();
	return await runNode(setup);
}

beforeAll(async () => {
	({ service } = await smallWorld());
	const entries = Object.entries(cases);
	const start = (from: typeof entries) => {
		for (const [name, given] of from) {
			const { id } = service.model.addEngagement({ id: 5001 + played.size });
			played.set(name, play(id, given));
		}
	};
	// Those that must be sent within a time go first, and alone.
	const isTimed = ([, { parameters }]: (typeof entries)[number]) => 'options' in parameters;
	await runNode(setupOf(service, get));
	start(entries.filter(isTimed));
	await until(() => service.requests.length > played.size, 'the timed requests are sent');
	start(entries.filter((entry) => !isTimed(entry)));
	unreachable = refreshUnreachable();
});

afterAll(async () => await service.close());

const seenOf = async (name: string): Promise<Seen> => {
	const seen = await played.get(name);
	if (seen === undefined) throw new Error(`There is no case ${name}`);
	return seen;
};

it.each(Object.entries(cases))('%s', async (name, { tells, requests, parameters }) => {
	const seen = await seenOf(name);
	expect(seen.requests).toHaveLength(requests);
	if (tells === undefined) {
		expect(seen.result.error).toBeUndefined();
		expect(seen.result.items).toHaveLength(1);
		expect(seen.result.items[0]?.json).not.toHaveProperty('error');
	} else {
		expect(errorText(seen.result)).toMatch(tells);
		expect(seen.result.error?.message).toMatch(/^Could not (get the company|refresh the data)/);
		expect(seen.result.items).toEqual([]);
	}
	if (parameters.operation === 'run') expect(seen.refreshed).toBeLessThanOrEqual(1);
});

describe('Retry-After', () => {
	const gaps = ({ requests }: Seen) =>
		requests.slice(1).map(({ at }, index) => at - (requests[index]?.at ?? 0));

	it('in seconds is waited for', async () => {
		for (const gap of gaps(await seenOf('GET, 429 with seconds'))) {
			expect(gap).toBeGreaterThanOrEqual(990);
			expect(gap).toBeLessThan(5000);
		}
	});

	it.each([
		['the clock of the service', true],
		['the clock of n8n where the service tells no time', false],
	])('as a date is held against %s', async (_what, dateHeader) => {
		const { service: own } = await smallWorld();
		try {
			own.settings.dateHeader = dateHeader;
			const now = dateHeader ? own.model.now : Math.ceil(Date.now() / 1000) * 1000;
			const until = new Date(now + 1000).toUTCString();
			own.fail({}, tooMany(until));
			const { error } = await run(own, get);
			expect(error).toBeUndefined();
			const [first, second] = own.requests;
			expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
			expect((second?.at ?? 0) - (first?.at ?? 0)).toBeLessThan(5000);
		} finally {
			await own.close();
		}
	});

	it('absent means waits that grow, within bounds', async () => {
		const [first = 0, second = 0, third = 0, fourth = 0] = gaps(await seenOf('GET, 500 for ever'));
		expect(first).toBeGreaterThanOrEqual(240);
		expect(second).toBeGreaterThanOrEqual(490);
		expect(third).toBeGreaterThanOrEqual(990);
		expect(fourth).toBeGreaterThanOrEqual(1990);
		expect(fourth).toBeLessThan(9000);
	});

	it('holds for all requests under way', async () => {
		const { service: own } = await smallWorld();
		try {
			own.settings.latencyMs = 5;
			own.fail({}, tooMany('2'), { skip: 3 });
			const items = Array.from({ length: 60 }, () => ({}));
			const { items: results, error } = await run(own, get, items);
			expect(error).toBeUndefined();
			expect(results).toHaveLength(60);
			const refused = own.requests.find((request) => request.status === 429);
			const refusedAt = refused?.doneAt ?? 0;
			// What had left before the refusal was read may still arrive.
			const meanwhile = own.requests.filter(
				({ at }) => at > refusedAt + 400 && at < refusedAt + 1900,
			);
			expect(meanwhile).toEqual([]);
		} finally {
			await own.close();
		}
	});
});

it('repeats a POST whose connection was never made', async () => {
	const result = await unreachable;
	expect(errorText(result)).toMatch(/could not be reached, also after 5 tries/);
	expect(errorText(result)).not.toContain('unknown');
});
