/**
 * Maps the values of a list that is still being read, in order. Up to `most` are in work at once: all
 * of them from the start if `isEager`; otherwise one at first and twice as many each time, so that a
 * caller who stops early has caused little work.
 */
export async function* mapAhead<Value, Result>(
	values: AsyncIterable<Value>,
	{ most, isEager }: { most: number; isEager: boolean },
	map: (value: Value) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
	const inWork: Array<Promise<Result>> = [];
	let width = isEager ? most : 1;
	for await (const value of values) {
		const result = map(value);
		// Thrown when its turn comes, unless the caller has stopped by then.
		result.catch(() => {});
		inWork.push(result);
		for (const next of inWork.splice(0, inWork.length - width + 1)) {
			yield await next;
			width = Math.min(2 * width, most);
		}
	}
	for (const next of inWork) yield await next;
}
