/** Reads resource locators. */
import { isObject } from '../values/objects';

/** The mode and value of a locator; a plain value from an expression has the mode `plainMode`. */
export function locatorOf(value: unknown, plainMode: string): { mode: string; value: unknown } {
	if (!isObject(value)) return { mode: plainMode, value };
	return { mode: String(value.mode ?? plainMode), value: value.value };
}
