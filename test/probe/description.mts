/** How records depart from their description in service/. */
import type { Kind } from '../../nodes/EngagementUploads/service/kind.ts';

type Json = Record<string, unknown>;

/** The values of a record by the names of fields: nested ones as the description names them. */
function* valuesIn(
	record: Json,
	names: readonly string[],
	outer = '',
): Generator<[string, unknown]> {
	for (const [own, value] of Object.entries(record)) {
		const name = `${outer}${own}`;
		if (names.some((each) => each.startsWith(`${name}.`)))
			for (const each of [value].flat()) yield* valuesIn((each ?? {}) as Json, names, `${name}.`);
		else yield [name, value];
	}
}

const isTime = (value: unknown) => ['string', 'number'].includes(typeof value);
const TYPES: Record<string, (value: unknown) => boolean> = {
	text: (value) => typeof value === 'string',
	UUID: (value) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(String(value)),
	// IDs of connectors and of new engagements are documented as text.
	number: (value) => typeof value === 'number' || /^\d+$/.test(String(value)),
	flag: (value) => typeof value === 'boolean',
	time: isTime,
	day: isTime,
	list: Array.isArray,
};

/** Field names: those that only the records have, that only the description has, and that have another type. */
export function compareFields(records: Json[], { fields }: Kind) {
	const names = Object.keys(fields);
	const sent = records.flatMap((record) => [...valuesIn(record, names)]);
	const seen = new Set(sent.map(([name]) => name));
	const isOther = ([name, value]: [string, unknown]) =>
		value !== null && fields[name] !== undefined && TYPES[fields[name].type]?.(value) === false;
	return {
		unknown: [...seen].filter((name) => !names.includes(name)),
		missing: names.filter((name) => !seen.has(name)),
		otherType: [...new Set(sent.filter(isOther).map(([name]) => name))],
	};
}
