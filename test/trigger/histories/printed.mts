/** A printed time as a number: an instant, or a local time taken literally. */
export function timeOf(printed: unknown): number {
	if (typeof printed === 'number') return printed;
	const text = String(printed).replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
	return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}
