import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';

/** A process's reply: a value, or an error. */
type Reply = { value: unknown } | { error: string };

/** n8n adds a listener to its one abort signal for each request, and Node.js warns about that. */
const QUIET = '--disable-warning=MaxListenersExceededWarning';

/** A process of the benchmark, which answers one message after the other. */
export class Peer {
	private readonly child: ChildProcess;

	/** @param script in test/bench; it runs as this one does, through tsx */
	constructor(script: string) {
		this.child = fork(path.resolve('test/bench', script), {
			execArgv: [...process.execArgv, QUIET],
		});
	}

	/** Sends a message and waits for the reply. */
	async ask<T>(message: object): Promise<T> {
		return await new Promise<T>((resolve, reject) => {
			const onExit = (code: number | null) =>
				reject(new Error(`A process ended with code ${code}`));
			this.child.once('exit', onExit);
			this.child.once('message', (reply: Reply) => {
				this.child.off('exit', onExit);
				if ('error' in reply) reject(new Error(reply.error));
				else resolve(reply.value as T);
			});
			this.child.send(message);
		});
	}

	/** Ends the process and waits until it has exited. */
	async close(): Promise<void> {
		if (this.child.exitCode !== null || this.child.signalCode !== null) return;
		const gone = new Promise((resolve) => this.child.once('exit', resolve));
		this.child.disconnect();
		await gone;
	}
}

/** The other end: replies to every message; the process ends when its parent disconnects. */
export function answerParent<Message>(answer: (message: Message) => Promise<unknown>): void {
	const reply = (message: Reply) => process.send?.(message);
	process.on('message', (message: Message) => {
		answer(message).then(
			(value) => reply({ value: value ?? null }),
			(error: unknown) =>
				reply({ error: error instanceof Error ? (error.stack ?? '') : String(error) }),
		);
	});
	process.once('disconnect', () => process.exit());
}
