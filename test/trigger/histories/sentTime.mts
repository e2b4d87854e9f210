/** A date as a number: an instant, or a local time taken literally. */
export function timeOf(sent: unknown): number {
	if (typeof sent === 'number') return sent;
	const text = String(sent).replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
	return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}
