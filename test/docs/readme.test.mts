/** The README's table of operations is made of the operations; `npm run docs` writes it. */
import { readFile, writeFile } from 'node:fs/promises';
import type { INodeProperties } from 'n8n-workflow';

import { operations, properties } from '../../nodes/EngagementUploads/actions/operations.ts';
import type { Operation } from '../../nodes/EngagementUploads/actions/operation.ts';
import { table, withSection } from '../support/markdown.mts';

const FILE = 'README.md';

const namesIn = ({ options = [] }: INodeProperties) =>
	options.map((option) => ('displayName' in option ? option.displayName : option.name));

function resourceName(value: string): string {
	const resources = properties.find(({ name }) => name === 'resource')?.options ?? [];
	const found = resources.find((each) => 'value' in each && each.value === value);
	return found?.name ?? value;
}

function row({ resource, name, description, fields }: Operation): string[] {
	const filters = fields.filter((field) => field.name === 'filters').flatMap(namesIn);
	const isSortable = fields.some((field) => field.name === 'sort');
	const sentences = [
		description.replace(/\.$/, ''),
		...(filters.length > 0 ? [`Filters: ${filters.join(', ')}`] : []),
		...(isSortable ? ['Can be sorted'] : []),
	];
	return [resourceName(resource), name, sentences.join('. ')];
}

test('the README lists every operation as the editor describes it', async () => {
	const head = ['Resource', 'Operation', 'What it does'];
	const readme = await readFile(FILE, 'utf8');
	const expected = withSection(readme, 'operations', table(head, operations.map(row)));
	if (process.env.DOCS === 'write') await writeFile(FILE, expected);
	expect(await readFile(FILE, 'utf8')).toBe(expected);
});
