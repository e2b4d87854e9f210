/** Plays a history, and records what every poll did. */
import type { IDataObject } from 'n8n-workflow';
import type { History, PollStep, Step } from './history.mts';
import { LightTrigger } from './lightTrigger.mts';
import { World, type Version } from './world.mts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Number of extra polls within which a history must settle. */
const LAST_POLLS = 25;
/** After this many polls in a row without an item, nothing more is expected. */
const QUIET = 8;

/** The outcome of a poll; times are those of the service's clock. */
export interface PollLog {
	/** Its place among all polls. */
	index: number;
	from: number;
	to: number;
	/** Undefined: the poll failed. */
	items?: IDataObject[];
	stateBefore: string;
	stateAfter: string;
	isAlone: boolean;
	/** A request failed while it ran. */
	isDisturbed: boolean;
	/** The credential's Time Zone. */
	zone: string;
	/** n8n discards what it emits, in durable polling. */
	isDiscarded: boolean;
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

export async function play(history: History): Promise<Played> {
	const world = new World(history);
	const player = new Player(world);
	return await world.run(async () => {
		for (const step of history.steps) await player.take(step);
		const hasSettled = await player.settle();
		return { history, versions: world.versions, polls: player.polls, hasSettled };
	});
}

class Player {
	readonly polls: PollLog[] = [];
	private readonly trigger: LightTrigger;

	constructor(private readonly world: World) {
		const { event, start, filters, ...history } = world.history;
		const options = {
			lookback: history.lookback / MINUTE,
			followFor: history.followFor / DAY,
			maxUploadsPerPoll: history.maxUploads,
			pageSize: history.pageSize,
		};
		const parameters = { event, ...start, filters: { ...filters }, output: 'raw', options };
		this.trigger = new LightTrigger(world, parameters);
	}

	async take(step: Step): Promise<void> {
		if (step.do === 'restart') return this.trigger.restart();
		if (step.do === 'reactivate') return this.trigger.reactivate();
		if (step.do === 'changeZone') return this.world.changeZone(step.zone);
		this.world.pass(step.after);
		if (step.fault) this.world.failRequest(step.fault);
		await this.poll(step);
		this.world.service.clearFaults();
	}

	/** Polls until nothing more is emitted, even after a restart. */
	async settle(): Promise<boolean> {
		this.world.passAll();
		const { uploads, settings } = this.world.history;
		const most = LAST_POLLS + uploads.length;
		for (let polls = 0, quiet = 0; polls < most; polls++) {
			await this.poll();
			quiet = this.polls.at(-1)?.items?.length === 0 ? quiet + 1 : 0;
			if (quiet === QUIET) this.trigger.restart();
			if (quiet === QUIET + 2) return true;
			this.world.pass(settings.rateLimit ? MINUTE : 10_000);
		}
		return false;
	}

	private async poll({ overlapping = 1, isDiscarded = false }: Partial<PollStep> = {}) {
		// n8n waits for the poll at activation before it schedules others.
		const count = this.trigger.isActivated ? overlapping : 1;
		const polls = Array.from({ length: count }, async (_, index) => {
			return await this.onePoll(count === 1, isDiscarded && index === 0);
		});
		for (const poll of await Promise.all(polls))
			this.polls.push({ ...poll, index: this.polls.length });
	}

	private async onePoll(isAlone: boolean, isDiscarded: boolean): Promise<Omit<PollLog, 'index'>> {
		const { world, trigger } = this;
		const from = world.now;
		const stateBefore = this.readState();
		const { failed } = world;
		const items = await trigger.poll(isDiscarded).then(
			(emitted) => (emitted ?? []).map(({ json }) => json),
			() => undefined,
		);
		return {
			...{ isAlone, isDiscarded, zone: world.zone, from, to: world.now, stateBefore },
			stateAfter: this.readState(),
			isDisturbed: world.failed > failed,
			...(items && { items }),
		};
	}

	private readState(): string {
		return JSON.stringify([this.trigger.state, this.trigger.globalState]);
	}
}
