/**
 * The time of day, in epoch milliseconds. It is needed for the expiry of tokens, the dates in
 * headers, and “today”. Durations are measured by a monotonic clock, since this one may be set.
 */
export function timeOfDay(): number {
	return Date.now();
}
