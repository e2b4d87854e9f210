/** Values by number: those with the same text have the same number. */
export class Interned<T> {
	private readonly numbers = new Map<string, number>();
	private readonly values: T[] = [];

	constructor(private readonly textOf: (value: T) => string) {}

	add(value: T): number {
		const text = this.textOf(value);
		const known = this.numbers.get(text);
		if (known !== undefined) return known;
		this.numbers.set(text, this.values.length);
		return this.values.push(value) - 1;
	}

	at(number: number): T {
		const value = this.values[number];
		if (value === undefined) throw new Error(`There is no value ${number}`);
		return value;
	}
}
