/**
 * Ends requests when their time is up or the execution is cancelled. All requests of an execution
 * share one timer and one listener, since an execution may send thousands.
 */

/** A request under way. */
interface Exchange {
	/** as `performance.now()`, which no change of the clock affects */
	deadline: number;
	abort(reason: Error): void;
}

export class Deadlines {
	private readonly exchanges = new Set<Exchange>();
	/** When the timer fires. */
	private firesAt = Infinity;

	/** @param cancelled fires when the execution is cancelled */
	constructor(private readonly cancelled?: AbortSignal) {}

	/**
	 * The result of an exchange that must end within `milliseconds`, or by the time the execution is
	 * cancelled, even if it does not respect its signal.
	 * @throws TimeoutError, or the reason of the cancellation
	 */
	async within<T>(milliseconds: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
		this.cancelled?.throwIfAborted();
		return await new Promise<T>((resolve, reject) => {
			const controller = new AbortController();
			const exchange: Exchange = {
				deadline: performance.now() + milliseconds,
				abort: (reason) => {
					this.remove(exchange);
					controller.abort(reason);
					reject(reason);
				},
			};
			this.add(exchange);
			void send(controller.signal)
				.then(resolve, reject)
				.finally(() => this.remove(exchange));
		});
	}

	private add(exchange: Exchange): void {
		this.cancelled?.addEventListener('abort', this.cancel);
		this.exchanges.add(exchange);
		this.fireAt(exchange.deadline);
	}

	private remove(exchange: Exchange): void {
		this.exchanges.delete(exchange);
		if (this.exchanges.size === 0) this.cancelled?.removeEventListener('abort', this.cancel);
	}

	private fireAt(deadline: number): void {
		if (deadline >= this.firesAt) return;
		this.firesAt = deadline;
		// Signals accept whole milliseconds only.
		const timer = AbortSignal.timeout(Math.max(1, Math.ceil(deadline - performance.now())));
		timer.addEventListener('abort', this.endOverdue);
	}

	/** Deadlines rarely pass: the timer usually fires for a request that ended long before. */
	private readonly endOverdue = () => {
		this.firesAt = Infinity;
		const now = performance.now();
		for (const { deadline, abort } of this.exchanges) {
			if (deadline > now) this.fireAt(deadline);
			else abort(new DOMException('The request timed out', 'TimeoutError'));
		}
	};

	private readonly cancel = () => {
		for (const { abort } of this.exchanges) abort(this.cancelled?.reason as Error);
	};
}
