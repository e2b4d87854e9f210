import type { IExecuteFunctions } from 'n8n-workflow';

import { readItems } from '../../nodes/EngagementUploads/actions/items.ts';
import { text } from '../../nodes/EngagementUploads/fields/field.ts';
import { parseText } from '../../nodes/EngagementUploads/values/text.ts';

afterEach(() => jest.restoreAllMocks());

it('n8n goes on between items that take long to read', async () => {
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	const events: string[] = [];
	setTimeout(() => events.push('timer'), 0);
	const context = {
		getInputData: () => [{ json: {} }, { json: {} }, { json: {} }],
		getNode: () => ({ name: 'Node', parameters: { name: '={{ $json.name }}' } }),
		getNodeParameter: () => {
			now += 100;
			events.push('item');
		},
		getTimezone: () => 'UTC',
	} as unknown as IExecuteFunctions;
	await readItems(
		context,
		{ name: text('Name', '', parseText) },
		() => false,
		() => {},
	);
	expect(events).toEqual(['item', 'timer', 'item', 'item']);
});
