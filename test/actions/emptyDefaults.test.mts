/** Fields that have a default: what it applies to, and what happens where such a field is empty. */
import type { IDataObject } from 'n8n-workflow';

import { errorText, onlyRequest, readOutput, run, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeAll);

const list = { resource: 'engagement', operation: 'getAll' };
const connector = { engagementId: 1001, connectorName: 'cloudbooks' };
const schedule = { resource: 'dataRefresh', operation: 'schedule', engagementId: 1001 };
const refresh = { resource: 'dataRefresh', operation: 'run', ...connector };
const start = { resource: 'upload', operation: 'start', ...connector };

/** By label: parameters in which a field has a value, of each kind that has a default. */
const withDefault: Record<string, (value: unknown) => object> = {
	Frequency: (scheduleFrequency) => ({ ...schedule, scheduleFrequency }),
	Limit: (limit) => ({ ...list, limit }),
	Output: (output) => ({ ...list, output }),
	'Sort Direction': (direction) => ({ ...list, sort: { rule: [{ field: 'name', direction }] } }),
};
const EMPTY = ['={{ $json.none }}', '={{ null }}', '={{ " " }}', ''];

it.each(Object.entries(withDefault))('an empty %s is refused by name', async (label, withValue) => {
	for (const value of EMPTY) {
		const result = await run(service, withValue(value) as IDataObject);
		expect(errorText(result)).toBe(`${label} is empty | Enter a value in ${label}`);
	}
	expect(service.requests).toEqual([]);
});

it('an empty Scope is none', async () => {
	await readOutput(service, { ...start, scopeName: '={{ $json.none }}' });
	expect(onlyRequest(service).query).toEqual({});
});

it.each(['{}', '={{ {} }}'])(
	'the Custom Body %s is sent as an empty object',
	async (customBody) => {
		await readOutput(service, { ...refresh, options: { customBody } });
		expect(onlyRequest(service)).toMatchObject({
			body: {},
			headers: { 'content-type': 'application/json', 'content-length': '2' },
		});
		await readOutput(service, refresh);
		expect(onlyRequest(service).body).toBeUndefined();
	},
);
