/** Upload > Start, Get Steps and Get Last. */
import type { IDataObject } from 'n8n-workflow';

import { errorText, readOutput, run, service, toJson } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeAll);

it('Split Steps returns one item per step in the order of the process, with the same fields', async () => {
	const own = { uploadId: 'a', engagementId: 1001 };
	const steps = [2, 1, 3].map((sorting) => ({ sorting, [`own${sorting}`]: true }));
	service.fail({}, { kind: 'status', status: 200, body: { ...own, steps } });
	const split = { resource: 'upload', operation: 'getWorkflow', splitSteps: true, output: 'raw' };
	const none = { stepId: null, name: null, status: null };
	const times = { created: null, started: null, lastUpdate: null };
	const expected = [1, 2, 3].map((sorting) => ({ ...none, sorting, ...times, ...own }));
	expect(await readOutput(service, { ...split, ...own })).toEqual(expected);
});

it('Upload > Start returns the address for the customer, without which its outcome is unknown', async () => {
	const operation = { resource: 'upload', operation: 'start', connectorName: 'cloudbooks' };
	const startWith = async (body: IDataObject) => {
		service.fail({}, { kind: 'status', status: 200, body });
		return await run(service, { ...operation, engagementId: 1001 });
	};
	const { items } = await startWith({ type: 'DOWNLOAD', redirectUrl: 'a', acmeClientUrl: 'b' });
	expect(toJson(items)).toMatchObject([{ url: 'b' }]);
	expect(errorText(await startWith({ type: 'REDIRECT', url: 'null' }))).toMatch(
		/outcome is unknown because .* it has no redirectUrl or …ClientUrl/,
	);
});

it('Upload > Get Last returns an item without an upload for an engagement that has none', async () => {
	const getLast = { resource: 'upload', operation: 'getLast', engagementId: 1003 };
	const fields = ['status'];
	for (const form of [{}, { output: 'raw' }, { output: 'selectedFields', fields }])
		expect(await readOutput(service, { ...getLast, ...form })).toEqual([
			expect.objectContaining({ engagementId: 1003, uploadId: null }),
		]);
});
