import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	collection,
	dependent,
	flag,
	number,
	text,
} from '../../nodes/EngagementUploads/fields/field.ts';
import { readItems } from '../../nodes/EngagementUploads/fields/item.ts';
import { optionalText } from '../../nodes/EngagementUploads/values/text.ts';

const fields = {
	name: text('Name', '', optionalText),
	returnAll: flag('Return All', ''),
	limit: dependent({ hide: { returnAll: [true] } }, number('Limit', '', { default: 50, min: 1 })),
	filters: collection('Filters', 'Add filter', {
		from: text('From', '', optionalText),
		to: text('To', '', optionalText),
	}),
};

/** What is asked for, by name; `value` is that of an expression. */
function contextOf(
	parameters: IDataObject,
	count: number,
	value: (name: string) => unknown = (name) => parameters[name],
) {
	const asked: string[] = [];
	const context = {
		continueOnFail: () => false,
		getInputData: () => Array.from({ length: count }, () => ({ json: {} })),
		getNode: () => ({ name: 'Node', parameters }),
		getNodeParameter: (name: string) => {
			asked.push(name);
			return value(name);
		},
		getTimezone: () => 'UTC',
	} as unknown as IExecuteFunctions;
	return { context, asked };
}

it('reads parameters without an expression once for all items', async () => {
	const { context, asked } = contextOf({ name: '={{ $json.name }}', limit: 7 }, 3);
	const items = await readItems(fields, context);
	const values = { name: '={{ $json.name }}', returnAll: false, limit: 7, filters: {} };
	expect(items).toEqual([0, 1, 2].map((index) => ({ index, values })));
	expect(asked.toSorted()).toEqual(['filters', 'limit', 'name', 'name', 'name', 'returnAll']);
});

it('lets timers run while it reads many items', async () => {
	const slow = () => {
		const end = performance.now() + 20;
		while (performance.now() < end);
		return undefined;
	};
	let ticks = 0;
	const timer = setInterval(() => (ticks += 1), 1);
	await readItems(fields, contextOf({ name: '={{ $json.name }}' }, 8, slow).context);
	clearInterval(timer);
	expect(ticks).toBeGreaterThan(1);
});
