/**
 * Whether the service answers requests of one kind at all, or refuses each of them, for example
 * because the token lacks a right. Invariant: where it refuses each, few are sent.
 */
import { faultOf, isAboutRequest, reportOf } from '../transport/errors';

/** Until one has succeeded, at most this many requests for several keys are sent. */
export const MAX_AT_FIRST = 9;
/** After this many refusals and no success, hardly any request for several keys would succeed. */
const MANY_AT_FIRST = 3;
/**
 * After this many refusals in a row, there are no more requests. With the two lists that an
 * operation may read besides, a token without the right costs 20 requests.
 */
const MAX_REFUSALS = 2 * MAX_AT_FIRST;

/** Sends a request for a single key; resolves with its error, if there is one. */
export type Probe = () => Promise<unknown>;

export class Access {
	/** Why no more requests are sent. */
	private denial: { error: unknown } | undefined;
	hasSucceeded = false;
	private refusalsInRow = 0;
	private readonly underWay = new Set<Promise<unknown>>();
	private check: Promise<void> | undefined;
	private confirm: () => void = () => {};
	/** Ends with the first success. */
	readonly confirmed = new Promise<void>((resolve) => (this.confirm = resolve));

	get isDenied(): boolean {
		return this.denial !== undefined;
	}

	/** Sends a request, unless it would be refused like all before it. */
	async send<T>(request: () => Promise<T>): Promise<T> {
		if (this.denial !== undefined) throw this.denial.error;
		const sent = request();
		this.underWay.add(sent);
		return await sent.then(
			(response) => {
				this.underWay.delete(sent);
				this.refusalsInRow = 0;
				this.hasSucceeded = true;
				this.confirm();
				return response;
			},
			async (error: unknown) => {
				this.underWay.delete(sent);
				const fault = faultOf(error);
				if (fault === 'request') this.refusalsInRow++;
				// An error of our own, such as one about a single key, says nothing about the others.
				if (fault === 'access' && reportOf(error) !== undefined) this.deny(error);
				return await Promise.reject(error as Error);
			},
		);
	}

	/** Every other request would fail like this one, unless one has succeeded. */
	deny(error: unknown): void {
		if (!this.hasSucceeded) this.denial ??= { error };
	}

	/**
	 * Whether it makes sense to split a refused request. After many refusals in a row, single keys are
	 * requested first, one after the other, until one succeeds.
	 */
	async isWorthSplitting(error: unknown, probes: () => Iterable<Probe>): Promise<boolean> {
		await Promise.race([this.confirmed, Promise.allSettled(this.underWay)]);
		if (this.refusalsInRow >= (this.hasSucceeded ? MAX_AT_FIRST : MANY_AT_FIRST)) {
			this.check ??= this.probe(error, probes());
			await this.check;
			this.check = undefined;
		}
		return !this.isDenied;
	}

	private async probe(error: unknown, probes: Iterable<Probe>): Promise<void> {
		let left = MAX_REFUSALS - Math.min(this.refusalsInRow, MAX_AT_FIRST);
		for (const probe of probes) {
			const failure = await probe();
			if (failure === undefined) return;
			if (isAboutRequest(failure) && --left > 0) continue;
			this.denial = { error };
			return;
		}
	}
}
