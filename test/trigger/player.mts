/** Plays a history, and notes what every poll did. */
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { SeededRandom } from '../support/service/random.mts';
import { Service } from '../support/service/service.mts';
import { mayTurnDown, type Filters, type History, type Step } from './history.mts';
import { LightTrigger, type Trigger } from './trigger.mts';
import { World, type Listing } from './world.mts';

const MINUTE = 60_000;
/** Polls after which a history has to be at rest, beyond those that its back-log takes. */
const MOST_LAST_POLLS = 12;

/** A poll as it went. Uploads are named by their place in the history. */
export interface PollLog {
	/** Time of the service's clock. */
	from: number;
	to: number;
	/** What was listed as completed by then, with the date as printed (null: not listed). */
	before: Listing;
	after: Listing;
	filters: Filters;
	/** ids and printed dates; undefined: the poll failed */
	emitted?: Array<{ id: string; printed: unknown }>;
	error?: unknown;
	/** The node's and the workflow's static data, before and after, as JSON. */
	stateBefore: string;
	stateAfter: string;
	isAlone: boolean;
	isActivation: boolean;
}

/** What happened between polls. */
export type Happening =
	| { what: 'poll'; poll: PollLog }
	| { what: 'restart' }
	| { what: 'reactivate' }
	| { what: 'move'; id: string; at: number; to: number };

/** A history as it went. */
export interface Played {
	history: History;
	happened: Happening[];
	/** Upload ids by place in the history. */
	ids: string[];
	listedAt: Map<number, number>;
	/** Nothing was emitted any more in the end. */
	cameToRest: boolean;
}

/** The trigger's parameters in a history. */
export function parametersOf(history: History, filters: Filters): INodeParameters {
	const { lookback, maxUploads, pageSize, start } = history;
	return {
		...start,
		filters: { ...filters },
		output: 'raw',
		options: {
			lookback: lookback / MINUTE,
			maxUploadsPerPoll: maxUploads,
			pageSize,
			timeout: 5,
		},
	};
}

/** Plays a history with the trigger in-process. */
export async function play(history: History): Promise<Played> {
	const service = new Service({
		record: false,
		settings: { ...history.settings, tokenLifetimeMs: Infinity },
	});
	const world = new World(service, history);
	const random = new SeededRandom(7);
	const takeTurns = async () => {
		for (let turns = random.below(40); turns > 0; turns--) await Promise.resolve();
	};
	const parameters = parametersOf(history, history.filters);
	const { zone, durable } = history;
	const trigger = new LightTrigger(service, zone, durable, parameters, takeTurns);
	return await playWith(trigger, world);
}

/** Plays a history with any trigger that calls the world's service. */
export async function playWith(trigger: Trigger, world: World): Promise<Played> {
	const player = new Player(trigger, world);
	world.begin();
	try {
		for (const step of world.history.steps) await player.take(step);
		const cameToRest = await player.comeToRest();
		const { happened } = player;
		return {
			history: world.history,
			happened,
			ids: world.ids,
			listedAt: world.listedAt,
			cameToRest,
		};
	} finally {
		world.end();
	}
}

class Player {
	readonly happened: Happening[] = [];
	private filters: Filters;
	private isActivation = true;

	constructor(
		private readonly trigger: Trigger,
		private readonly world: World,
	) {
		this.filters = world.history.filters;
	}

	async take(step: Step): Promise<void> {
		switch (step.do) {
			case 'poll':
				this.world.pass(step.after);
				if (step.fault) this.world.failRequest(step.fault.kind, step.fault.request);
				return await this.poll(step.overlapping);
			case 'restart':
				return this.again(() => this.trigger.restart(), 'restart');
			case 'reactivate':
				return this.again(() => this.trigger.reactivate(), 'reactivate');
			case 'filter':
				this.filters = step.filters;
				return this.again(
					() => this.trigger.change(parametersOf(this.world.history, step.filters)),
					'restart',
				);
			case 'move':
				return this.move(step);
			case 'status':
				return this.world.changeStatus(step.upload, step.status);
		}
	}

	/** Polls until nothing is emitted any more, also not after a restart. */
	async comeToRest(): Promise<boolean> {
		const { history } = this.world;
		this.world.passAll();
		const most = MOST_LAST_POLLS + history.uploads.length;
		// Where uploads are turned down, a poll may have looked at nothing but such ones.
		const restsAfter = mayTurnDown(history) ? 6 : 1;
		for (let polls = 0, quiet = 0; polls < most; polls++) {
			await this.poll(1);
			quiet = this.isQuiet ? quiet + 1 : 0;
			if (quiet === restsAfter) this.again(() => this.trigger.restart(), 'restart');
			if (quiet === restsAfter + 2) return true;
			this.world.pass(MINUTE);
		}
		return false;
	}

	private get isQuiet(): boolean {
		const last = this.happened.at(-1);
		return last?.what === 'poll' && last.poll.emitted?.length === 0;
	}

	private move({ upload, to }: Extract<Step, { do: 'move' }>): void {
		const moved = Math.min(to, this.world.now);
		if (!this.world.moveCompletion(upload, moved)) return;
		const id = this.world.idOf(upload);
		this.happened.push({ what: 'move', id, at: this.world.now, to: moved });
	}

	private again(act: () => void, what: 'restart' | 'reactivate'): void {
		act();
		this.happened.push({ what });
		this.isActivation ||= what === 'reactivate' || !this.world.history.durable;
	}

	private async poll(count: number): Promise<void> {
		this.world.beginPolls(count);
		const isActivation = this.isActivation;
		const polls = Array.from({ length: count }, async () => await this.onePoll(count === 1));
		for (const poll of await Promise.all(polls)) {
			this.happened.push({ what: 'poll', poll: { ...poll, isActivation } });
			if (poll.emitted !== undefined) this.isActivation = false;
		}
		this.world.endPolls();
	}

	private async onePoll(isAlone: boolean): Promise<Omit<PollLog, 'isActivation'>> {
		const { world, filters } = this;
		const from = world.now;
		const before = world.listing();
		const stateBefore = this.state;
		let outcome: Pick<PollLog, 'emitted' | 'error'>;
		try {
			outcome = { emitted: emittedIn(await this.trigger.poll()) };
		} catch (error) {
			outcome = { error };
		}
		return {
			...{ from, to: world.now, before, after: world.listing(), filters },
			...{ stateBefore, stateAfter: this.state, isAlone },
			...outcome,
		};
	}

	private get state(): string {
		return JSON.stringify([this.trigger.state, this.trigger.globalState]);
	}
}

function emittedIn(items: INodeExecutionData[] | null): PollLog['emitted'] {
	return (items ?? []).map(({ json }) => ({
		id: String(json.uploadId),
		printed: json.completionDate,
	}));
}
