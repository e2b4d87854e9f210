/** A value that the service sent as text; objects as JSON, since they may hold a `toString` of their own. */
export function textOf(value: unknown): string {
	return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
