/** Selected Fields: which names are understood, and that the IDs of a record always come with them. */
import type { IDataObject } from 'n8n-workflow';

import { example, toTarget } from '../support/examples.mts';
import { readOutput, useService } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

useService(beforeAll, async () => ({ service } = await smallWorld()));

it.each([
	['company.get', ['engagementId'], 'currencyIso'],
	['connector.getAll', ['id'], 'title'],
	['engagement.create', ['engagementId'], 'name', ['created']],
	['engagement.getAll', ['engagementId'], 'status'],
	['engagement.getStatus', ['engagementId'], 'dataStatus'],
	['period.getAll', ['periodId'], 'startDate'],
	['upload.getAll', ['uploadId'], 'smeName'],
	['upload.getLast', ['uploadId', 'engagementId'], 'active'],
	['upload.getWorkflow', ['uploadId'], 'currentStep'],
	['user.getAll', ['id'], 'roles'],
])('%s always returns %j', async (name, ids, field, added: string[] = []) => {
	const parameters = example(name).parameters(toTarget(service));
	const select = async (fields: IDataObject[string]) =>
		await readOutput(service, { ...parameters, output: 'selectedFields', fields });
	const [record = {}] = await select([field]);
	expect(Object.keys(record)).toEqual([...ids, field, ...added]);
	for (const id of ids) expect(record[id]).toEqual(expect.anything());
	const [named = {}] = await select([field, ...ids]);
	expect(Object.keys(named).sort()).toEqual([...ids, field, ...added].sort());
});

it.each<[what: string, fields: IDataObject[string]]>([
	['an array', ['name', 'Owner.email']],
	['text', 'name, Owner.email'],
	['JSON text', '["name", "Owner.email"]'],
	['an expression with an array', '={{ ["name", "Owner.email"] }}'],
])('fields may be %s', async (_, fields) => {
	const given = { resource: 'engagement', operation: 'getAll', limit: 1 };
	const [record] = await readOutput(service, { ...given, output: 'selectedFields', fields });
	expect(record).toEqual({
		...{ engagementId: 1001, name: 'Ashby Farms' },
		'Owner.email': expect.stringContaining('@'),
	});
});
