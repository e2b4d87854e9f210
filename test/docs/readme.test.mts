/** The README's tables are derived from the operations and events; `npm run docs` writes them. */
import { readFile, writeFile } from 'node:fs/promises';
import type { INodeProperties } from 'n8n-workflow';

import { operations, properties } from '../../nodes/EngagementUploads/actions/operations.ts';
import type { Operation } from '../../nodes/EngagementUploads/actions/operation.ts';
import { events } from '../../nodes/EngagementUploads/trigger/events/index.ts';
import type { UploadEvent } from '../../nodes/EngagementUploads/trigger/events/event.ts';
import { table, withSection } from '../support/markdown.mts';

const FILE = 'README.md';

const namesIn = ({ options = [] }: INodeProperties) =>
	options.map((option) => ('displayName' in option ? option.displayName : option.name));

function resourceName(value: string): string {
	const resources = properties.find(({ name }) => name === 'resource')?.options ?? [];
	const found = resources.find((each) => 'value' in each && each.value === value);
	return found?.name ?? value;
}

function operationRow({ resource, name, description, fields }: Operation): string[] {
	const filters = fields.filter((field) => field.name === 'filters').flatMap(namesIn);
	const isSortable = fields.some((field) => field.name === 'sort');
	const sentences = [
		description.replace(/\.$/, ''),
		...(filters.length > 0 ? [`Filters: ${filters.join(', ')}`] : []),
		...(isSortable ? ['Can be sorted'] : []),
	];
	return [resourceName(resource), name, sentences.join('. ')];
}

function eventRow({ name, description, follow }: UploadEvent): string[] {
	return [
		name,
		follow?.hasPreviousStatus === true ? `${description}, with \`previousStatus\`` : description,
	];
}

test.each([
	['operation', ['Resource', 'Operation', 'What it does'], operations.map(operationRow)],
	['event', ['Event', 'Description'], events.map(eventRow)],
])('the README lists every %s as the editor describes it', async (what, head, rows) => {
	const readme = await readFile(FILE, 'utf8');
	const expected = withSection(readme, `${what}s`, table(head, rows));
	if (process.env.DOCS === 'write') await writeFile(FILE, expected);
	if ((await readFile(FILE, 'utf8')) !== expected)
		throw new Error(`The table of ${what}s is out of date. Run: npm run docs`);
});
