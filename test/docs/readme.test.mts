/** The README's tables are derived from the operations and events, which `npm run docs` writes. */
import { readFile } from 'node:fs/promises';
import type { INodeProperties } from 'n8n-workflow';

import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';
import type { Operation } from '../../nodes/EngagementUploads/actions/operation.ts';
import { toProperties } from '../../nodes/EngagementUploads/fields/field.ts';
import { events } from '../../nodes/EngagementUploads/trigger/events/index.ts';
import type { UploadEvent } from '../../nodes/EngagementUploads/trigger/events/event.ts';
import { checkSection, table } from '../support/markdown.mts';
import { resourceName } from '../support/operationNames.mts';

const FILE = 'README.md';
const GUIDE = 'docs/how-the-trigger-works.md';

const namesIn = ({ options = [] }: INodeProperties) =>
	options.map((option) => ('displayName' in option ? option.displayName : option.name));

function operationRow({ resource, name, description, fields }: Operation): string[] {
	const filters = toProperties(fields)
		.filter(({ name }) => name === 'filters')
		.flatMap(namesIn);
	const isSortable = Object.hasOwn(fields, 'sort');
	const sentences = [
		description.replace(/\.$/, ''),
		...(filters.length > 0 ? [`Filters: ${filters.join(', ')}`] : []),
		...(isSortable ? ['Can be sorted'] : []),
	];
	return [resourceName(resource), name, sentences.join('. ')];
}

function eventRow({ name, description, isRepeating }: UploadEvent): string[] {
	return [name, isRepeating ? `${description}, with \`previousStatus\`` : description];
}

test.each([
	['operations', ['Resource', 'Operation', 'What it does'], operations.map(operationRow)],
	['events', ['Event', 'Description'], events.map(eventRow)],
])('the README lists all %s as the editor describes them', (name, head, rows) => {
	checkSection(FILE, name, table(head, rows));
});

it('the guide to the trigger lists what every event promises, by its file’s first comment', async () => {
	const rows = await Promise.all(
		events.map(async ({ value, name, date, isFollowing }) => {
			const file = `nodes/EngagementUploads/trigger/events/${value}.event.ts`;
			const [, promise] = /^\/\*\* (.*)\. \*\//.exec(await readFile(file, 'utf8')) ?? [];
			if (promise === undefined)
				throw new Error(`Begin ${file} with a comment of one line: when an upload is emitted`);
			const found = date === 'completionDate' ? 'completion date' : 'creation date';
			const emitted = promise.charAt(0).toLowerCase() + promise.slice(1);
			return [name, emitted, isFollowing ? `${found}, then followed` : found];
		}),
	);
	const head = ['Event', 'An upload is emitted', 'Found by'];
	checkSection(GUIDE, 'promises', table(head, rows));
});

it('the samples in the README are those of docs/output.md', async () => {
	const samples = [...(await readFile(FILE, 'utf8')).matchAll(/```json\n(.*?)```/gs)];
	const all = await readFile('docs/output.md', 'utf8');
	expect(samples.length).toBeGreaterThan(0);
	for (const [sample] of samples)
		if (!all.includes(sample))
			throw new Error(
				`${FILE} has a sample that docs/output.md lacks; copy it from there: ${sample}`,
			);
});

it('the README fits on a few screens; what is longer belongs in docs/', async () => {
	expect((await readFile(FILE, 'utf8')).split('\n').length).toBeLessThan(200);
});
