import { Refusal } from './refusal.mts';
import type { Settings } from './settings.mts';

/** Rejects requests that exceed `settings.rateLimit`, by the real clock. */
export class RateLimit {
	private admitted: number[] = [];

	/** The rejection, with a `Retry-After` in whole seconds; undefined: continue. */
	refusal(limit: Settings['rateLimit']): Refusal | undefined {
		if (!limit) return undefined;
		const now = Date.now();
		this.admitted = this.admitted.filter((at) => at > now - limit.perMs);
		if (this.admitted.length < limit.requests) {
			this.admitted.push(now);
			return undefined;
		}
		const seconds = Math.max(1, Math.ceil(((this.admitted[0] ?? now) + limit.perMs - now) / 1000));
		const message = `Rate limit is exceeded. Try again in ${seconds} seconds.`;
		return new Refusal(429, message, { 'retry-after': String(seconds) });
	}
}
