import type { IExecuteFunctions } from 'n8n-workflow';

import { dependent, flag, number, text } from '../../nodes/EngagementUploads/fields/field.ts';
import { readItems } from '../../nodes/EngagementUploads/fields/item.ts';
import { optionalText } from '../../nodes/EngagementUploads/values/text.ts';

const fields = {
	name: text('Name', '', optionalText),
	returnAll: flag('Return All', ''),
	limit: dependent({ hide: { returnAll: [true] } }, number('Limit', '', { default: 50, min: 1 })),
};

/** A run of three items, of which each has its own name. */
const contextOf = (onRead: (name: string) => void) => {
	const parameters: Record<string, unknown> = { name: '={{ $json.name }}', limit: 7 };
	return {
		getInputData: () => Array.from({ length: 3 }, () => ({ json: {} })),
		getNode: () => ({ name: 'Node', parameters }),
		getNodeParameter: (name: string) => {
			onRead(name);
			return parameters[name];
		},
		getTimezone: () => 'UTC',
	} as unknown as IExecuteFunctions;
};

afterEach(() => jest.restoreAllMocks());

it('reads parameters without an expression once for all items', async () => {
	const asked: string[] = [];
	const items = await readItems(
		fields,
		contextOf((name) => asked.push(name)),
	);
	const values = { name: '={{ $json.name }}', returnAll: false, limit: 7 };
	expect(items).toEqual([0, 1, 2].map((index) => ({ index, values })));
	expect(asked.toSorted()).toEqual(['limit', 'name', 'name', 'name', 'returnAll']);
});

it('lets timers run between items that take long to read', async () => {
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	const events: string[] = [];
	setTimeout(() => events.push('timer'), 0);
	const slow = (name: string) => {
		now += 100;
		if (name === 'name') events.push('item');
	};
	await readItems(fields, contextOf(slow));
	expect(events).toEqual(['item', 'timer', 'item', 'item']);
});
