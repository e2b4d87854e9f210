import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { HAS_POLL_BUDGETS, onlyInNewestLine } from '../support/engine/lines.mts';
import { startService } from '../support/service/http.mts';
import { Service } from '../support/service/service.mts';
import { historyOf } from './generator.mts';
import { mayTurnDown, type History } from './history.mts';
import { judge } from './oracle.mts';
import { parametersOf, play, playWith } from './player.mts';
import { credentialOf, pollerOf } from './setup.mts';
import type { Trigger } from './trigger.mts';
import { World } from './world.mts';

const HISTORIES = 2000;
const OVER_HTTP = 36;
const MOST_TIME_MS = 300_000;

it(
	`emits each upload of ${HISTORIES} random histories once, whatever happens`,
	async () => {
		onlyInNewestLine();
		// In a process of its own, since coverage makes it three times slower.
		const script = path.join(__dirname, 'histories.main.mts');
		const args = ['--import', 'tsx', script, '--runs', String(HISTORIES)];
		const { stdout } = await promisify(execFile)(process.execPath, args);
		expect(stdout).toContain(`${HISTORIES} histories, each upload emitted once`);
	},
	MOST_TIME_MS,
);

/** Plays a history over sockets, in n8n's own poll context. */
async function playOverHttp(history: History) {
	const { settings, zone, durable, filters } = history;
	const service = await startService({
		record: false,
		settings: { ...settings, tokenLifetimeMs: Infinity },
	});
	try {
		const credential = credentialOf(service, { timeZone: zone });
		const parameters = parametersOf(history, filters);
		const poller = pollerOf(service, parameters, { credential, durable });
		return await playWith(poller, new World(service, history));
	} finally {
		await service.close();
	}
}

it(
	'goes the same way over HTTP and in the context of n8n itself',
	async () => {
		// Overlapping polls take turns as their requests come, and over HTTP requests take real time.
		const isPlayable = ({ durable, steps, requestTime }: History) =>
			(HAS_POLL_BUDGETS || !durable) &&
			requestTime === 0 &&
			steps.every((step) => step.do !== 'poll' || step.overlapping === 1);
		const seeds = Array.from({ length: 6 * OVER_HTTP }, (_, index) => 50_001 + index);
		const chosen = seeds.filter((seed) => isPlayable(historyOf(seed))).slice(0, OVER_HTTP);
		expect(chosen).toHaveLength(OVER_HTTP);
		for (const seed of chosen) {
			const overHttp = await playOverHttp(historyOf(seed));
			const inProcess = await play(historyOf(seed));
			expect({ seed, complaints: judge(overHttp) }).toEqual({ seed, complaints: [] });
			expect({ seed, emitted: emittedIn(overHttp) }).toEqual({
				seed,
				emitted: emittedIn(inProcess),
			});
		}
	},
	MOST_TIME_MS,
);

function emittedIn({ happened }: Awaited<ReturnType<typeof play>>) {
	return happened.flatMap((event) => (event.what === 'poll' ? [event.poll.emitted] : []));
}

describe('the histories', () => {
	const histories = Array.from({ length: 300 }, (_, seed) => historyOf(seed));
	const steps = histories.flatMap((history) => history.steps);
	const some = (has: (history: History) => boolean) => histories.filter(has).length;

	it('are the same for the same seed', () => {
		expect(historyOf(7)).toEqual(historyOf(7));
		expect(historyOf(7)).not.toEqual(historyOf(8));
	});

	it('hold everything that may happen', () => {
		for (const what of ['poll', 'restart', 'reactivate', 'filter', 'move', 'status'])
			expect(steps.filter((step) => step.do === what).length).toBeGreaterThan(10);
		expect(some(({ durable }) => durable)).toBeGreaterThan(50);
		expect(some(({ settings }) => settings.honourOrderBy === false)).toBeGreaterThan(50);
		expect(some(({ settings }) => settings.rejectOrderBy === true)).toBeGreaterThan(20);
		expect(some(({ settings }) => settings.honourCompletedFrom === false)).toBeGreaterThan(20);
		expect(some(({ settings }) => settings.dateHeader === false)).toBeGreaterThan(20);
		expect(some(mayTurnDown)).toBeGreaterThan(50);
	});
});

describe('the oracle', () => {
	/** A trigger that does wrong; `first` is what its first look finds. */
	class Wrong implements Trigger {
		private polls = 0;
		state = {};
		globalState = {};

		constructor(private readonly emit: (poll: number) => Array<{ uploadId: string }>) {}

		async poll() {
			const items = this.emit(this.polls++).map(({ uploadId }) => ({
				json: { uploadId, completionDate: '2026-06-15T10:00:00' },
			}));
			return items.length > 0 ? items : null;
		}

		restart() {}
		reactivate() {}
		change() {}
	}

	const time = Date.UTC(2026, 5, 15, 10);
	const planned = { createdAt: time - 1, status: 'COMPLETED', connectorName: 'ledgerpro' };
	const history: History = {
		begin: time - 60_000,
		settings: {},
		zone: 'UTC',
		behind: 0,
		requestTime: 0,
		durable: false,
		start: { startFrom: 'now' },
		lookback: 7_200_000,
		maxUploads: 10,
		pageSize: 10,
		filters: {},
		uploads: [
			{ ...planned, completedAt: time, listedAt: time },
			{ ...planned, createdAt: time - 70_000, completedAt: time - 65_000, listedAt: time - 65_000 },
		],
		steps: [
			{ do: 'poll', after: 0, overlapping: 1 },
			{ do: 'poll', after: 120_000, overlapping: 1 },
		],
	};

	async function judged(emit: (poll: number, ids: string[]) => string[]) {
		const world = new World(new Service({ record: false }), history);
		const trigger = new Wrong((poll) => emit(poll, world.ids).map((uploadId) => ({ uploadId })));
		return judge(await playWith(trigger, world)).join('; ');
	}

	it.each([
		['what is right', (poll, [first = '']) => (poll === 1 ? [first] : []), /^$/],
		['a lost upload', () => [], /upload 0: due by poll 1, but never emitted/],
		['one that is late', (poll, [first = '']) => (poll === 2 ? [first] : []), /but not before 2/],
		['one that comes twice', (poll, [first = '']) => (poll < 3 ? [first] : []), /it came before/],
		[
			'one that was there',
			(poll, [first = '', second = '']) => (poll === 1 ? [first, second] : []),
			/it was listed at the first look/,
		],
	] satisfies Array<[string, (poll: number, ids: string[]) => string[], RegExp]>)(
		'tells %s',
		async (_what, emit, complaint) => {
			expect(await judged(emit)).toMatch(complaint);
		},
	);
});
