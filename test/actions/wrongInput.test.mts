import type { IDataObject } from 'n8n-workflow';

import { example, examples, targetOf, type Example } from '../support/examples.mts';
import type { ParameterField } from '../support/parameterFields.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { errorText, run } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

beforeAll(async () => {
	({ service } = await smallWorld());
});

afterAll(async () => await service.close());

const ids = ['', 'abc', '1.5', '-1', '0', '12 34', '1001/..', '99999999999999999', true, [[]], {}];
const nested = { a: { b: 1 } };

/** Invalid values for the fields that several operations share; the others are in the table. */
const shared: Record<string, unknown[]> = {
	'engagementId (list)': ids,
	'engagementId (id)': ids,
	'engagementId (externalId)': ['', 'a,b', {}, [[]]],
	'connectorName (list)': ['', 'a/b', '..', '.', 'a\\b', 'a\nb', {}],
	'connectorName (name)': ['', 'a/b', '..', '.', 'a\\b', 'a\nb', {}],
	'connectorName (id)': ['', {}, [[]]],
	returnAll: ['sure', 2, {}],
	limit: [0, -5, 1.5, 'few', {}],
	'sort.field': ['', 'a,b', '-name', {}],
	'sort.direction': ['up', {}],
	output: ['everything', {}],
	fields: ['', ' ', ',,', {}],
	'options.pageSize': [0, 1.5, 'many', {}],
	'options.parallelRequests': [0, 65, -1, 1.5, 'many', []],
	'options.timeout': [0, 'soon', {}],
	'options.customQuery': ['trace=1', '{"a":', '[1]', nested],
	'options.customBody': ['{"a":', '[1]', 'a'],
};

/** Values that a field of an operation must reject, if there are any. */
function invalidFor({ operation }: Example, { name }: ParameterField): unknown[] {
	const own = examples.filter((each) => each.operation === operation);
	return own.flatMap(({ invalid }) => invalid?.[name] ?? []);
}

const cases = examples.flatMap((example) =>
	example.fields.map((field) => ({
		...example,
		title: `${example.name}: ${field.name}`,
		field,
		values: shared[field.name] ?? invalidFor(example, field),
	})),
);

it.each(cases)('$title is validated before anything is sent', async (each) => {
	const { field, values, parameters } = each;
	expect(values).not.toEqual([]);
	// Given by an item, since n8n itself rejects some values in required fields.
	const filled = field.fill(parameters(targetOf(service)), '={{ $json.value }}');
	const given = values.map((value) => ({ value }) as IDataObject);
	const { error } = await run(service, filled, given);
	expect(error?.message).toMatch(/\[item 0\]/);
	const { items } = await run(service, filled, given, { onError: 'continueRegularOutput' });
	expect(items.map(({ json }, index) => [values[index], json])).toEqual(
		values.map((value) => [value, { error: expect.stringContaining(field.label) }]),
	);
	expect(service.requests).toEqual([]);
});

it('is found before anything is sent, even if only a later item is invalid', async () => {
	const parameters = {
		...example('upload.start').parameters(targetOf(service)),
		engagementId: '={{ $json.id }}',
	};
	const result = await run(service, parameters, [{ id: 1001 }, { id: 1002 }, { id: 'x' }]);
	expect(errorText(result)).toMatch(/Engagement “x” is not a whole number \[item 2\]/);
	expect(service.requests).toEqual([]);
});

it.each([
	['', 'Engagement is empty'],
	[{ mode: 'externalId', value: 'a,b' }, 'contains a comma'],
])('an engagement of %j: %s', async (engagementId, message) => {
	const parameters = { resource: 'company', operation: 'get', engagementId: '={{ $json.value }}' };
	const result = await run(service, parameters, [{ value: engagementId }]);
	expect(errorText(result)).toContain(message);
});

it('can be an unknown operation', async () => {
	const result = await run(service, { resource: 'upload', operation: 'constructor' });
	expect(errorText(result)).toContain('“constructor”');
	expect(service.requests).toEqual([]);
});

it('reports values that are too long for one request', async () => {
	const customQuery = JSON.stringify({ note: 'x'.repeat(2000) });
	const parameters = { resource: 'upload', operation: 'getAll', options: { customQuery } };
	const result = await run(service, parameters);
	expect(errorText(result)).toMatch(/too long for one request.*Shorten/);
	expect(service.requests).toEqual([]);
});
