import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { systemClock } from '../../../nodes/EngagementUploads/values/clock.ts';
import { axios } from '../engine/n8n.mts';
import { delays } from '../service/http.mts';

/** Once nothing has happened for this many turns of the event loop, nothing more will happen by itself. */
const QUIET_TURNS = 12;
const REQUEST_STARTED = 'http.client.request.start';

/** Something that waits for a time. */
interface Wait {
	at: number;
	end: () => void;
}

/**
 * Time that passes only while everything waits for it, and then at once: for the nodes, n8n and the
 * simulated service. So tests do not wait, and their results do not depend on how busy the machine
 * is. Jest's fake timers would also pass while a request is under way.
 */
class VirtualTime {
	private passed = 0;
	private readonly waits = new Set<Wait>();
	/** The ends of requests, which matter only while the service leaves one without a response. */
	private readonly timeouts = new Set<Wait>();
	private inFlight = 0;
	private readonly heldBack = new Set<object>();
	private isRunning = false;

	get now(): number {
		return this.passed;
	}

	readonly sleep = async (milliseconds: number): Promise<void> => {
		// Without a wait, but after what is due in this turn.
		if (milliseconds <= 0) return await nextTurn();
		await new Promise<void>((end) => this.add(this.waits, milliseconds, end));
	};

	readonly timeout = (milliseconds: number): AbortSignal => {
		const controller = new AbortController();
		const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
		this.add(this.timeouts, milliseconds, () => controller.abort(reason));
		return controller.signal;
	};

	readonly onRequest = (message: unknown): void => {
		const { request } = message as { request: NodeJS.EventEmitter };
		this.inFlight += 1;
		request.once('close', () => (this.inFlight -= 1));
	};

	/** A response is held back; the returned function ends this. */
	readonly hold = (): (() => void) => {
		const response = {};
		this.heldBack.add(response);
		void this.run();
		return () => void this.heldBack.delete(response);
	};

	private add(waits: Set<Wait>, milliseconds: number, end: () => void): void {
		// Whole ones, as timers have: a fraction may be too small to let any time pass, so that whoever waits
		// again for what is left waits forever.
		waits.add({ at: this.passed + Math.ceil(milliseconds), end });
		void this.run();
	}

	private async run(): Promise<void> {
		if (this.isRunning) return;
		this.isRunning = true;
		// Whoever waits from now on is seen here, or starts this again.
		while (this.hasWaits) {
			const next = await this.next();
			if (next === undefined) continue;
			this.passed = Math.max(this.passed, next.at);
			this.waits.delete(next);
			this.timeouts.delete(next);
			next.end();
		}
		this.isRunning = false;
	}

	private get hasWaits(): boolean {
		return this.waits.size > 0 || (this.heldBack.size > 0 && this.timeouts.size > 0);
	}

	/** The first wait that ends, once everything waits; undefined if nothing does. */
	private async next(): Promise<Wait | undefined> {
		for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
			if (!this.hasWaits) return undefined;
			await nextTurn();
			if (this.inFlight > this.heldBack.size) quiet = -1;
		}
		const timeouts = this.heldBack.size > 0 ? this.timeouts : [];
		return [...this.waits, ...timeouts].reduce<Wait | undefined>(
			(first, wait) => (first === undefined || wait.at < first.at ? wait : first),
			undefined,
		);
	}
}

/** Lets time pass at once for everything in this test file or `describe`. */
export function useVirtualTime(): void {
	const { now: dateNow } = Date;
	const { timeout } = AbortSignal;
	const { now, sleep } = systemClock;
	const { wait, hold } = delays;
	const { request } = axios.interceptors;
	let withoutTimeout: number;
	const time = new VirtualTime();
	beforeAll(() => {
		const start = dateNow();
		Date.now = () => start + time.now;
		AbortSignal.timeout = time.timeout;
		Object.assign(systemClock, { now: () => time.now, sleep: time.sleep });
		Object.assign(delays, { wait: time.sleep, hold: time.hold });
		// It is in real time, and would pass on a busy machine. The product ends requests by signals.
		withoutTimeout = request.use((config) => ({ ...config, timeout: 0 }));
		subscribe(REQUEST_STARTED, time.onRequest);
	});
	afterAll(() => {
		Date.now = dateNow;
		AbortSignal.timeout = timeout;
		Object.assign(systemClock, { now, sleep });
		Object.assign(delays, { wait, hold });
		request.eject(withoutTimeout);
		unsubscribe(REQUEST_STARTED, time.onRequest);
	});
}
