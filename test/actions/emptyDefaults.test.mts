/** Fields that have a default, and what happens where one is empty; Custom Body. */
import type { IDataObject } from 'n8n-workflow';

import { errorText, onlyRequest, readOutput, run, service } from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

// Today must not end between the test and the node.
useVirtualTime();
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

it("no schedule needs no date: today's is sent, in the workflow's time zone", async () => {
	const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
	const none = { ...schedule, scheduleFrequency: 'Not Scheduled', scheduleStartDate: '' };
	await readOutput(service, none, [{}], { timezone: 'Pacific/Kiritimati' });
	expect(onlyRequest(service).body).toEqual({ scheduleFrequency: '0', scheduleStartDate: today });
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

it('what Custom Body names takes precedence, at any depth', async () => {
	service.settings.extraBody = ['sme.country'];
	const create = {
		...{ resource: 'engagement', operation: 'create', name: 'Elder & Co' },
		additionalFields: { externalEngagementId: 'A' },
		options: { customBody: { sme: { country: 'GB' }, externalEngagementId: 'B' } },
	};
	await readOutput(service, create);
	expect(service.requests.at(-1)).toMatchObject({
		body: { sme: { name: 'Elder & Co', country: 'GB' }, externalEngagementId: 'B' },
	});
});
