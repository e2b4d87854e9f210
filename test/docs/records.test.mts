/** The tables of records in docs/service.md are those of service/records.ts; `npm run docs` writes them. */
import type { Fields, Kind } from '../../nodes/EngagementUploads/service/kind.ts';
import * as described from '../../nodes/EngagementUploads/service/records.ts';
import { checkSection, table } from '../support/markdown.mts';

const { identifiers, kinds, createdEngagement, uploadStart, refreshResult } = described;
const all: Record<string, Kind> = { ...kinds, createdEngagement, uploadStart, refreshResult };

/** What the simplified record calls a field, if it is not the field's own name. */
function simpleName({ simplified }: Kind, name: string): string | undefined {
	const isRenamed = ([, from]: [string, unknown]) => Array.isArray(from) && from.includes(name);
	const [found] = Object.entries(simplified).find(isRenamed) ?? [];
	return found === name ? undefined : found;
}

/** A row for each field; neighbours that mean the same share one. */
function toRows(fields: Fields, nameOf: (name: string) => string | undefined): string[][] {
	const rows: string[][] = [];
	for (const [name, { type, meaning }] of Object.entries(fields)) {
		const simple = nameOf(name);
		const text = simple === undefined ? meaning : `${meaning}. *Simplified*: \`${simple}\``;
		const last = rows.at(-1);
		if (last?.[1] === type && last[2] === text) last[0] += `, \`${name}\``;
		else rows.push([`\`${name}\``, type, text]);
	}
	return rows;
}

const HEAD = ['Field', 'Type', 'Meaning'];

it('docs/service.md lists the identifiers', () => {
	checkSection(
		'docs/service.md',
		'identifiers',
		table(
			HEAD,
			toRows(identifiers, () => undefined),
		),
	);
});

it.each(Object.entries(all))('docs/service.md lists the fields of %s', (name, kind) => {
	const rows = toRows(kind.fields, (field) => simpleName(kind, field));
	checkSection('docs/service.md', name, table(HEAD, rows));
});
