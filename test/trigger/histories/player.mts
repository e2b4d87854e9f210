/** Plays a history and records what every poll did. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Filters, History, PollStep, Step } from './history.mts';
import type { Useful } from './answers.mts';
import { LightTrigger } from './lightTrigger.mts';
import { World, type Version } from './world.mts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Number of extra polls within which a history must settle. */
const LAST_POLLS = 25;
/** After this many polls in a row without an item, nothing more is expected. */
const QUIET = 8;

/** The parameters that a history changes. */
export interface Parameters {
	filters: Filters;
	lookback: number;
	pageSize: number;
}

/** The outcome of a poll; times are those of the service's clock. */
export interface PollLog {
	/** Its place among all polls. */
	index: number;
	from: number;
	to: number;
	parameters: Parameters;
	/** Undefined: the poll failed. */
	items?: IDataObject[];
	stateBefore: string;
	stateAfter: string;
	isAlone: boolean;
	/** A request failed while it ran. */
	isDisturbed: boolean;
	isActivation: boolean;
	/** In durable polling. */
	isDurable: boolean;
	useful: Useful;
	/** n8n discards what it emits, in durable polling. */
	isDiscarded: boolean;
	/** n8n was restarted since the previous poll. */
	isAfterRestart: boolean;
}

/** The outcome of a history. */
export interface Played {
	history: History;
	/** By upload ID, what the service showed of it. */
	versions: ReadonlyMap<string, Version[]>;
	polls: PollLog[];
	/** Whether nothing more was emitted in the end. */
	hasSettled: boolean;
}

export function parametersOf(history: History, parameters: Parameters): INodeParameters {
	return {
		event: history.event,
		...history.start,
		filters: { ...parameters.filters },
		output: 'raw',
		options: {
			lookback: parameters.lookback / MINUTE,
			followFor: history.followFor / DAY,
			maxUploadsPerPoll: history.maxUploads,
			pageSize: parameters.pageSize,
			includeWorkflow: history.hasSteps,
		},
	};
}

export async function play(history: History): Promise<Played> {
	const world = new World(history);
	const player = new Player(world);
	world.begin();
	try {
		for (const step of history.steps) await player.take(step);
		const hasSettled = await player.settle();
		return { history, versions: world.versions, polls: player.polls, hasSettled };
	} finally {
		world.end();
		// Gives finished requests time to clear their timeouts.
		await new Promise((resolve) => setImmediate(resolve));
	}
}

class Player {
	readonly polls: PollLog[] = [];
	private parameters: Parameters;
	private readonly trigger: LightTrigger;
	private isAfterRestart = false;

	constructor(private readonly world: World) {
		const { filters, lookback, pageSize } = world.history;
		this.parameters = { filters, lookback, pageSize };
		this.trigger = new LightTrigger(world, parametersOf(world.history, this.parameters));
	}

	async take(step: Step): Promise<void> {
		switch (step.do) {
			case 'poll':
				this.world.pass(step.after);
				if (step.fault) this.world.failRequest(step.fault);
				await this.poll(step);
				return this.world.service.clearFaults();
			case 'restart':
				this.isAfterRestart = true;
				return this.trigger.restart();
			case 'switchMode':
				this.isAfterRestart = true;
				return this.trigger.switchMode();
			case 'reactivate':
				return this.trigger.reactivate();
			case 'rename':
				return this.trigger.rename();
			case 'correctZone':
				this.trigger.zone = this.world.history.settings.printZone ?? 'UTC';
				return;
			case 'change': {
				const { do: _, ...changed } = step;
				this.parameters = { ...this.parameters, ...changed };
				return this.trigger.change(parametersOf(this.world.history, this.parameters));
			}
		}
	}

	/** Polls until nothing more is emitted, even after a restart. */
	async settle(): Promise<boolean> {
		this.world.passAll();
		const { uploads, settings } = this.world.history;
		const most = LAST_POLLS + uploads.length;
		for (let polls = 0, quiet = 0; polls < most; polls++) {
			await this.poll();
			quiet = this.polls.at(-1)?.items?.length === 0 ? quiet + 1 : 0;
			if (quiet === QUIET) await this.take({ do: 'restart' });
			if (quiet === QUIET + 2) return true;
			this.world.pass(settings.rateLimit ? MINUTE : 10_000);
		}
		return false;
	}

	private async poll(step: Partial<PollStep> = {}) {
		const { isAfterRestart } = this;
		const { isDiscarded = false } = step;
		// n8n waits for the poll at activation before it schedules others.
		const { overlapping = 1 } = this.trigger.next.isActivation ? {} : step;
		this.isAfterRestart = false;
		const isAlone = overlapping === 1;
		const start = (isFirst: boolean) =>
			this.onePoll({ isAlone, isDiscarded: isDiscarded && isFirst });
		const polls = Array.from({ length: overlapping }, (_, index) => start(index === 0));
		for (const poll of await Promise.all(polls))
			this.polls.push({ ...poll, isAfterRestart, index: this.polls.length });
	}

	private async onePoll(
		kind: Pick<PollLog, 'isAlone' | 'isDiscarded'>,
	): Promise<Omit<PollLog, 'isAfterRestart' | 'index'>> {
		const { world, parameters, trigger } = this;
		const { next } = trigger;
		const from = world.now;
		const stateBefore = JSON.stringify(trigger.state);
		const { failed } = world;
		const useful = world.noteUseful();
		const items = await trigger.poll(kind.isDiscarded).then(
			(emitted) => (emitted ?? []).map(({ json }) => json),
			() => undefined,
		);
		return {
			...{ ...kind, ...next, from, to: world.now, parameters, stateBefore },
			stateAfter: JSON.stringify(trigger.state),
			isDisturbed: world.failed > failed,
			useful,
			...(items && { items }),
		};
	}
}
