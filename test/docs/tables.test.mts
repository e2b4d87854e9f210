/** The tables in documents that are derived from the code; `npm run docs` writes them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';
import type { Operation } from '../../nodes/EngagementUploads/actions/operation.ts';
import { events } from '../../nodes/EngagementUploads/trigger/events/index.ts';
import type { UploadEvent } from '../../nodes/EngagementUploads/trigger/events/event.ts';
import { resourceName } from '../support/world/examples.mts';
import { checkSection, table } from '../support/markdown.mts';

const SOURCES = 'nodes/EngagementUploads';

/** The first sentence of a file's first comment. @throws if it has none */
function readPurpose(file: string): string {
	const [, comment = ''] =
		/^\/\*\*(.*?)\*\//s.exec(readFileSync(path.join(SOURCES, file), 'utf8')) ?? [];
	const text = comment.replace(/\s*\n\s*\*\s*/g, ' ').trim();
	const [sentence = ''] = text.replace(/ \(docs\/[^)]*\)/g, '').split(/(?<=\.) /);
	if (sentence === '')
		throw new Error(`${file} does not begin with a comment that says what it is`);
	return sentence;
}

function operationRow({ resource, name, description }: Operation): string[] {
	return [resourceName(resource), name, description.replace(/\.$/, '')];
}

function eventRow({ name, description, isRepeating }: UploadEvent): string[] {
	return [name, isRepeating ? `${description}, with \`previousStatus\`` : description];
}

function promiseRow({ value, name, date, isFollowing }: UploadEvent): string[] {
	const promise = readPurpose(`trigger/events/${value}.event.ts`).replace(/\.$/, '');
	const found = date === 'completionDate' ? 'completion date' : 'creation date';
	const emitted = promise.charAt(0).toLowerCase() + promise.slice(1);
	return [name, emitted, isFollowing ? `${found}, then followed` : found];
}

const OPERATIONS = ['Resource', 'Operation', 'What it does'];
const EVENTS = ['Event', 'Description'];
const PROMISES = ['Event', 'An upload is emitted', 'Found by'];

test.each([
	['README.md', 'operations', table(OPERATIONS, operations.map(operationRow))],
	['README.md', 'events', table(EVENTS, events.map(eventRow))],
	['docs/how-the-trigger-works.md', 'promises', table(PROMISES, events.map(promiseRow))],
])('%s lists the %s', (file, name, lines) => checkSection(file, name, lines));
