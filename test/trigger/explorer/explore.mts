/** Visits every state of a small world and of the trigger that polls it, breadth first. */
import { Interned } from './interned.mts';
import { Broken, Oracle, type Ledger } from './oracle.mts';
import { SmallService, type NodeStep, type Taken } from './polls.mts';
import { UNPUBLISHED, type NodeState } from './settableTrigger.mts';
import { changed, visible, type Plan, type SmallUpload, type SmallWorld } from './smallWorld.mts';

/** What may happen to the service. */
type WorldStep =
	| { do: 'wait' }
	| { do: 'order'; to: SmallWorld['ordering'] }
	| { do: 'change'; at: number; upload: SmallUpload };

type Outcome = Omit<Taken, 'node'> & { place: number };

/** Places of a world, of what n8n keeps, and of what was told. */
type State = readonly [world: number, node: number, ledger: number];

export interface Explored {
	name: string;
	states: number;
	/** Polls that were run; the same poll in the same state is run once. */
	polls: number;
	/** All states that so many steps lead to were visited. */
	depth: number;
	/** The promise that is broken, and the steps that lead there. */
	broken?: string;
}

export interface Limits {
	depth?: number | undefined;
	/** How long to go on, in milliseconds. */
	time?: number | undefined;
}

export async function explore(plan: Plan, limits: Limits = {}): Promise<Explored> {
	const service = new SmallService(plan);
	return await service.whileShown(() => new Explorer(plan, service).run(limits));
}

class Explorer {
	private readonly worlds = new Interned<SmallWorld>(JSON.stringify);
	private readonly nodes = new Interned<NodeState>(String);
	private readonly ledgers = new Interned<Ledger>(JSON.stringify);
	private readonly steps = new Interned<WorldStep | NodeStep>(JSON.stringify);
	/** What came of each step of the trigger, which depends on no more than what it can see. */
	private readonly taken = new Map<string, Outcome>();
	/** All states, in the order in which they were found, and how. */
	private readonly states: State[] = [];
	private readonly seen = new Set<string>();
	private readonly found: Array<readonly [from: number, step: number]> = [];
	private readonly oracle: Oracle;

	constructor(
		private readonly plan: Plan,
		private readonly service: SmallService,
	) {
		this.oracle = new Oracle(plan);
	}

	async run({ depth = this.plan.depth, time = Infinity }: Limits): Promise<Explored> {
		const { uploads, name } = this.plan;
		const world: SmallWorld = { now: 0, ordering: this.plan.orderings[0] ?? 'honoured', uploads };
		const ledger = this.ledgers.add(this.oracle.beginning);
		this.add([this.worlds.add(world), this.nodes.add(UNPUBLISHED), ledger], -1, { do: 'wait' });
		let [from, level] = [0, 0];
		const result = () => ({
			name,
			states: this.states.length,
			polls: this.taken.size,
			depth: level,
		});
		const end = performance.now() + time;
		for (; level < depth; level++) {
			const next = this.states.length;
			for (; from < next; from++) {
				if (performance.now() > end) return result();
				try {
					for await (const [step, state] of this.following(from)) this.add(state, from, step);
				} catch (error) {
					if (!(error instanceof Broken)) throw error;
					return { ...result(), broken: [...this.pathTo(from), error.message].join('\n') };
				}
			}
		}
		return result();
	}

	private add(state: State, from: number, step: WorldStep | NodeStep): void {
		const key = state.join();
		if (this.seen.has(key)) return;
		this.seen.add(key);
		this.states.push(state);
		this.found.push([from, this.steps.add(step)]);
	}

	/** The states that one step leads to. */
	private async *following(from: number): AsyncGenerator<[WorldStep | NodeStep, State]> {
		const [at, node, ledger] = this.states[from] ?? [0, 0, 0];
		const world = this.worlds.at(at);
		for (const step of this.worldSteps(world))
			yield [step, [this.worlds.add(after(world, step)), node, ledger]];
		for (const step of await this.nodeSteps(world, node)) {
			const outcome = await this.take(world, node, step);
			const next = step.do === 'slippingPoll' ? after(world, { ...step, do: 'change' }) : world;
			const told = this.judge(this.ledgers.at(ledger), outcome, { step, world, next });
			yield [step, [this.worlds.add(next), outcome.place, this.ledgers.add(told)]];
		}
	}

	private *worldSteps(world: SmallWorld): Generator<WorldStep> {
		if (world.now < this.plan.lastHour) yield { do: 'wait' };
		for (const to of this.plan.orderings) if (to !== world.ordering) yield { do: 'order', to };
		for (const change of this.changesIn(world)) yield { do: 'change', ...change };
	}

	private *changesIn({ now, uploads }: SmallWorld) {
		for (const [at, names] of this.plan.changes.entries())
			for (const name of names) {
				const upload = changed(uploads[at] ?? null, name, now);
				if (upload) yield { at, upload };
			}
	}

	/** What may happen to the trigger here, which depends on the requests that a poll sends. */
	private async nodeSteps(world: SmallWorld, node: number): Promise<NodeStep[]> {
		const { requests } = await this.take(world, node, { do: 'poll' });
		const beforeLast = requests.slice(1).map((_, request) => request);
		const steps: NodeStep[] = [
			{ do: 'overlappingPolls' },
			{ do: 'discardedPoll' },
			{ do: 'failingPoll', request: requests.length - 1 },
			...beforeLast.flatMap((request) =>
				[...this.changesIn(world)].map(
					(change) => ({ do: 'slippingPoll', request, ...change }) as const,
				),
			),
		];
		if (requests.includes(true))
			for (const answer of ['notFound', 'empty'] as const)
				steps.push({ do: 'unfollowingPoll', answer });
		const disturbed = steps.filter((step) => this.plan.disturbances.includes(step.do));
		return [{ do: 'restart' }, { do: 'reactivate' }, { do: 'poll' }, ...disturbed];
	}

	private async take(world: SmallWorld, node: number, step: NodeStep): Promise<Outcome> {
		const key = `${node} ${visible(world)} ${JSON.stringify(step)}`;
		const known = this.taken.get(key);
		if (known !== undefined) return known;
		const { node: next, ...taken } = await this.service.take(world, this.nodes.at(node), step);
		const outcome = { ...taken, place: this.nodes.add(next) };
		this.taken.set(key, outcome);
		return outcome;
	}

	/** What was told after a step. @throws Broken if a promise is broken */
	private judge(
		told: Ledger,
		{ polls, error, hasLeftTraces }: Outcome,
		{ step, world, next }: { step: NodeStep; world: SmallWorld; next: SmallWorld },
	): Ledger {
		const isQuiet = step.do === 'poll' || step.do === 'overlappingPolls';
		const worlds = next === world ? [world] : [world, next];
		try {
			if (hasLeftTraces) throw new Broken('it failed, and changed the state');
			if (error !== undefined && isQuiet) throw new Broken(`it failed: ${String(error)}`);
			return polls.reduce((before, items, index) => {
				const isThorough = isQuiet && index === polls.length - 1;
				return items ? this.oracle.after(before, { worlds, items, isThorough }) : before;
			}, told);
		} catch (broken) {
			if (broken instanceof Broken)
				broken.message = `${JSON.stringify({ ...step, world, polls })}\n${broken.message}`;
			throw broken;
		}
	}

	private pathTo(state: number): string[] {
		const path: string[] = [];
		for (let at = state; at > 0; ) {
			const [from, step] = this.found[at] ?? [0, 0];
			path.unshift(JSON.stringify(this.steps.at(step)));
			at = from;
		}
		return path;
	}
}

function after(world: SmallWorld, step: WorldStep): SmallWorld {
	if (step.do === 'wait') return { ...world, now: world.now + 1 };
	if (step.do === 'order') return { ...world, ordering: step.to };
	return { ...world, uploads: world.uploads.with(step.at, step.upload) };
}
