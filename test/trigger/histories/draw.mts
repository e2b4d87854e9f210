/** The usual ways of drawing a value. */
import fc from 'fast-check';

/** Something else than usual, in so many of a hundred cases. */
export const rarely = <T,>(arbitrary: fc.Arbitrary<T>, percent: number, otherwise: T) =>
	fc.oneof(
		{ weight: 100 - percent, arbitrary: fc.constant(otherwise) },
		{ weight: percent, arbitrary },
	);
export const chance = (percent: number) => rarely(fc.constant(true), percent, false);
export const between = (min: number, max: number) => fc.integer({ min, max: Math.max(min, max) });
export const one = <T,>(...values: T[]) => fc.constantFrom(...values);
