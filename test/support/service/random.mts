/** A 32-bit hash of two numbers: the same pair gives the same value on every run. */
function mix(seed: number, value: number): number {
	let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(value + 0x165667b1, 0xc2b2ae35);
	hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
	hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
	return (hash ^ (hash >>> 16)) >>> 0;
}

/** Reproducible choices from a seed. */
export class SeededRandom {
	private drawn = 0;

	constructor(private readonly seed: number) {}

	/** An integer from 0 up to, not including, `bound`. */
	below(bound: number): number {
		this.drawn += 1;
		return mix(this.seed, this.drawn) % bound;
	}

	/** From 0 to below 1. */
	fraction(): number {
		return this.below(2 ** 32) / 2 ** 32;
	}

	/** One of the given values. */
	pick<T>(values: readonly T[]): T {
		const value = values[this.below(values.length)];
		if (value === undefined) throw new Error('There is nothing to pick from');
		return value;
	}
}

function hex(seed: number, value: number): string {
	return mix(seed, value).toString(16).padStart(8, '0');
}

/** A version 4 shaped UUID; different values of `value` never share one. */
export function uuidFrom(value: number): string {
	const [b, c] = [hex(2, value), hex(3, value)];
	// The last part contains the value itself, so that UUIDs differ whatever the hash does.
	const tail = value.toString(16).padStart(8, '0').slice(-8);
	return `${hex(1, value)}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(0, 3)}-${c.slice(4)}${tail}`;
}
