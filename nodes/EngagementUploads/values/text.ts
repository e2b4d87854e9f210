/** A value that the service sent as text; objects as JSON, since they may hold a `toString` of their own. */
export function toText(value: unknown): string {
	return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Whether there is nothing: some services print that as a text. */
export function isAbsent(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	return typeof value === 'string' && /^\s*(null)?\s*$/i.test(value);
}
