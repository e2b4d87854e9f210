/** Everything entered is checked before anything is sent. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { readItems } from '../../nodes/EngagementUploads/actions/items.ts';
import { text } from '../../nodes/EngagementUploads/fields/field.ts';
import { parseText } from '../../nodes/EngagementUploads/values/text.ts';
import {
	anyTarget,
	examples,
	operationName,
	toTarget,
	type Example,
} from '../support/world/examples.mts';
import type { ParameterField } from '../support/world/parameterFields.mts';
import { errorText, onErrorContinue, run, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeAll);

const ids = ['', 'abc', '1.000', '1001/..', true, {}];
const names = ['', 'a/b', '..', {}];

/**
 * Invalid values for the fields that several operations share; the others are in the table. test/values
 * has all that each parser rejects.
 */
const shared: Record<string, unknown[]> = {
	'engagementId (list)': ids,
	'engagementId (id)': ids,
	'engagementId (externalId)': ['', 'a,b', {}, [[]]],
	// Left empty, it may be that of the last upload.
	'connectorName (list)': names.slice(1),
	'connectorName (name)': names,
	limit: [0, -5, 1.5, 'few', '', {}],
	'sort.field': ['', {}],
	'sort.direction': ['up', '', {}],
	fields: ['', ' ', ',,', [], [{}]],
	// Any text may be a scope.
	scopeName: [['Full'], {}],
	'options.pageSize': [0, 1.5, 'many', '', {}],
};

/** Invalid values for every field of a type; the last two are empty. */
const byType: Partial<Record<ParameterField['type'], unknown[]>> = {
	boolean: ['perhaps', 2, [], {}],
	dateTime: ['yesterday', '2026-13-01', '01.03.2026', '2026-02-30', true, [], {}],
	json: ['{"a":', '[1]'],
	number: [-1, 'many', '', {}],
	options: ['anything else', '', {}],
};

/** Values that a field must reject: its own in the table of operations, and those of its type. */
function invalidFor(
	{ operation, method, url }: Example,
	{ name, type }: ParameterField,
): unknown[] {
	const isUseless =
		(name === 'options.customBody' && method === 'GET') ||
		(name === 'options.pageSize' && !url(anyTarget).includes('page='));
	if (isUseless)
		throw new Error(
			`${name} has no effect in ${operationName(operation)}: leave it out there, or add “query” to its entry in test/support/world/operations.mts`,
		);
	if (shared[name] !== undefined) return shared[name];
	const own = examples.filter((each) => each.operation === operation);
	const listed = own.flatMap(({ invalid }) => invalid?.[name] ?? []);
	const ofType = byType[type] ?? [];
	// What is empty is no filter.
	const isFilter = name.startsWith('filters.');
	const values = [...listed, ...(isFilter ? ofType.slice(0, -2) : ofType)];
	if (values.length > 0) return values;
	throw new Error(
		`Add values that ${name} must reject to “invalid” of ${operationName(operation)} in test/support/world/operations.mts`,
	);
}

const cases = examples.flatMap((example) =>
	example.fields.map((field) => ({
		...example,
		title: `${example.name}: ${field.name}`,
		field,
		values: invalidFor(example, field),
	})),
);

it.each(cases)('$title is validated before anything is sent', async (each) => {
	const { field, values, parameters } = each;
	// Given by an item, since n8n itself rejects some values in required fields.
	const base = parameters(toTarget(service));
	const filled = field.fill(base, '={{ $json.value }}');
	const given = values.map((value) => ({ value }) as IDataObject);
	const { error } = await run(service, filled, given);
	const { items } = await run(service, filled, given, onErrorContinue);
	// A value that is accepted belongs elsewhere than to “invalid”.
	expect(items.map(({ json }, index) => [values[index], json])).toEqual(
		values.map((value) => [value, { error: expect.stringContaining(field.label) }]),
	);
	if (values.length > 1) expect(error?.message).toMatch(/\[item 0\]/);
	expect(service.requests).toEqual([]);
});

it('an unknown operation is refused', async () => {
	const result = await run(service, { resource: 'upload', operation: 'constructor' });
	expect(errorText(result)).toContain('“constructor”');
});

it('n8n goes on between items that take long to read', async () => {
	let now = 0;
	const spy = jest.spyOn(performance, 'now').mockImplementation(() => now);
	const events: string[] = [];
	setTimeout(() => events.push('timer'), 0);
	const context = {
		getInputData: () => [{ json: {} }, { json: {} }, { json: {} }],
		getNode: () => ({ name: 'Node', type: 'node', parameters: { name: '={{ $json.name }}' } }),
		getExecuteData: () => ({ node: { name: 'Node' } }),
		getNodeParameter: () => {
			now += 100;
			events.push('item');
		},
		getTimezone: () => 'UTC',
	} as unknown as IExecuteFunctions;
	await readItems(context, { name: text('Name', '', parseText) }, () => false);
	spy.mockRestore();
	expect(events).toEqual(['item', 'timer', 'item', 'item']);
});
