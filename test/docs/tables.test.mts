/** The tables in documents that are derived from the code; `npm run docs` writes them. */
import { readFileSync } from 'node:fs';

import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';
import type { Operation } from '../../nodes/EngagementUploads/actions/operation.ts';
import { events, type UploadEvent } from '../../nodes/EngagementUploads/trigger/events.ts';
import {
	identifiers,
	type Kind,
	type RecordFields,
} from '../../nodes/EngagementUploads/service/kind.ts';
import { createdEngagement, kinds } from '../../nodes/EngagementUploads/service/records.ts';
import { refreshResult, uploadStart } from '../../nodes/EngagementUploads/service/uploadRecords.ts';
import { resourceName } from '../support/world/examples.mts';
import { checkSection, table } from '../support/markdown.mts';

const EVENTS_FILE = readFileSync('nodes/EngagementUploads/trigger/events.ts', 'utf8');

/** The comment above an event. @throws if it has none */
function readPurpose(event: string): string {
	const [, text] =
		new RegExp(`\\/\\*\\* (.*) \\*\\/\\n(?:export )?const ${event}: UploadEvent`).exec(
			EVENTS_FILE,
		) ?? [];
	if (text !== undefined) return text;
	throw new Error(`${event} needs a comment that says when an upload is emitted`);
}

function operationRow({ resource, name, description }: Operation): string[] {
	return [resourceName(resource), name, description.replace(/\.$/, '')];
}

function eventRow({ name, description, isRepeating }: UploadEvent): string[] {
	return [name, isRepeating ? `${description}, with \`previousStatus\`` : description];
}

function promiseRow({ value, name, date }: UploadEvent): string[] {
	const promise = readPurpose(value).replace(/\.$/, '');
	const found = date === 'completionDate' ? 'completion date' : 'creation date';
	const emitted = promise.charAt(0).toLowerCase() + promise.slice(1);
	return [name, emitted, found];
}

const OPERATIONS = ['Resource', 'Operation', 'What it does'];
const EVENTS = ['Event', 'Description'];
const PROMISES = ['Event', 'An upload is emitted', 'Found by'];

test.each([
	['README.md', 'operations', table(OPERATIONS, operations.map(operationRow))],
	['README.md', 'events', table(EVENTS, events.map(eventRow))],
	['docs/how-the-trigger-works.md', 'promises', table(PROMISES, events.map(promiseRow))],
])('%s lists the %s', (file, name, lines) => checkSection(file, name, lines));

type Described = Pick<Kind, 'fields' | 'simplified'>;
const records: Record<string, Described> = {
	...{ identifiers: { fields: identifiers, simplified: {} } },
	...{ ...kinds, createdEngagement, uploadStart, refreshResult },
};

/** What the simplified record calls a field, if it is not the field's own name. */
function simpleName({ simplified }: Described, name: string): string | undefined {
	const isRenamed = ([, from]: [string, unknown]) => Array.isArray(from) && from.includes(name);
	const [found] = Object.entries(simplified).find(isRenamed) ?? [];
	return found === name ? undefined : found;
}

/** A row for each field; neighbours that mean the same share one. */
function toRows(fields: RecordFields, nameOf: (name: string) => string | undefined): string[][] {
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

it.each(Object.entries(records))('docs/service.md lists the fields of %s', (name, kind) => {
	const rows = toRows(kind.fields, (field) => simpleName(kind, field));
	checkSection('docs/service.md', name, table(['Field', 'Type', 'Meaning'], rows));
});
