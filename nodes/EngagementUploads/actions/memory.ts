/**
 * What one run of the node has written. Under Retry On Fail, n8n runs the node again with all of
 * its items; with this memory, each write reaches the service once. Invariants: all attempts of a
 * run share one memory, no two runs do, and it ends with its run.
 */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { Progress } from './progress';

/** The outcome of an item. */
export type Outcome = { records: IDataObject[] } | { error: Error };

export class Memory {
	readonly progress = new Progress();
	private readonly outcomes = new Map<number, Outcome>();
	private readonly shared = new Map<string, unknown>();

	/** The outcome of an item that must not be written again. */
	outcome(index: number): Outcome | undefined {
		return this.outcomes.get(index);
	}

	keep(index: number, outcome: Outcome): void {
		this.outcomes.set(index, outcome);
	}

	/** A value that an operation remembers between attempts; created on first use. */
	share<T>(key: string, make: () => T): T {
		if (!this.shared.has(key)) this.shared.set(key, make());
		return this.shared.get(key) as T;
	}
}

const memories = new WeakMap<object, Memory>();

/** The memory of the run that this attempt belongs to; a new one without Retry On Fail. */
export function memoryOf(context: IExecuteFunctions): Memory {
	const run = context.getNode().retryOnFail === true ? runOf(context) : undefined;
	const memory = (run && memories.get(run)) ?? new Memory();
	if (run !== undefined) memories.set(run, memory);
	return memory;
}

/**
 * An object that is the same in every attempt of a run and in no other run. n8n's engine passes the
 * same execute data to each attempt. In a tool call by an AI agent, the execute data is the agent's
 * and shared by all of its calls; there, the arguments (the `json` of the only item) are the same
 * object in each attempt.
 */
function runOf(context: IExecuteFunctions): object | undefined {
	const executeData = context.getExecuteData();
	return executeData.node.name === context.getNode().name
		? executeData
		: context.getInputData()[0]?.json;
}
