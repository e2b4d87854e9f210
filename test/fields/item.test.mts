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

/** What is asked for, by name; `values` are those of expressions. */
function contextOf(
	parameters: IDataObject,
	count: number,
	value: (name: string, index: number) => unknown = (name) => parameters[name],
	continues = false,
) {
	const asked: string[] = [];
	const context = {
		continueOnFail: () => continues,
		getInputData: () => Array.from({ length: count }, () => ({ json: {} })),
		getNode: () => ({ name: 'Node', parameters }),
		getNodeParameter: (name: string, index: number) => {
			asked.push(name);
			return value(name, index);
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

it('does not read a parameter that is hidden, even if an expression decides that', async () => {
	const entered = { returnAll: '={{ $itemIndex === 1 }}', limit: 0 };
	const { context } = contextOf(
		entered,
		2,
		(name, index) => (name === 'returnAll' ? index === 1 : entered[name as 'limit']),
		true,
	);
	expect(await readItems(fields, context)).toMatchObject([
		{ index: 0, error: { message: expect.stringContaining('Limit “0”') } },
		{ index: 1, values: { returnAll: true, limit: undefined } },
	]);
});

it('names the field in a collection whose expression fails, and stops there', async () => {
	const failing = (name: string) => {
		if (name === 'filters' || name === 'filters.to') throw new Error('no such node');
		return undefined;
	};
	const { context } = contextOf({ filters: { from: '', to: '={{ $x }}' } }, 3, failing);
	expect(await readItems(fields, context)).toMatchObject([
		{ index: 0, error: { message: 'To could not be evaluated: no such node [item 0]' } },
	]);
});

it('lets timers run while it reads many items', async () => {
	const slow = () => {
		const end = performance.now() + 1;
		while (performance.now() < end);
		return undefined;
	};
	let ticks = 0;
	const timer = setInterval(() => (ticks += 1), 1);
	await readItems(fields, contextOf({ name: '={{ $json.name }}' }, 400, slow).context);
	clearInterval(timer);
	expect(ticks).toBeGreaterThan(3);
});
