/** What Return All, Limit and Page Size request; test/transport has how lists are read. */
import type { IDataObject } from 'n8n-workflow';

import { startService, type SimulatedService } from '../support/service/http.mts';
import { readOutput, useService } from '../support/runs.mts';

let service: SimulatedService;

useService(beforeAll, async () => (service = await startService()));
beforeAll(() => {
	service.model.addEngagement({ id: 1 });
	for (let index = 0; index < 250; index += 1) service.model.addCompletedUpload();
});

const limited = (limit?: number, pageSize = 100): IDataObject => ({
	resource: 'upload',
	operation: 'getAll',
	output: 'selectedFields',
	fields: 'uploadId',
	options: { pageSize },
	limit,
});

it('the limit is 50 by default, and applies with the requested page size', async () => {
	expect(await readOutput(service, limited(undefined, 20))).toHaveLength(50);
	expect(service.requests.map(({ query }) => query.size)).toEqual(['20', '20', '20']);
});

it.each([
	// A limit that is hidden is not read.
	['={{ "True" }}', 0, '100'],
	['False', 1, '1'],
	[null, 1, '1'],
])('Return All may be %j, with a limit of %d: pages of %s', async (returnAll, limit, size) => {
	await readOutput(service, { ...limited(limit), returnAll });
	expect(service.requests[0]?.query.size).toBe(size);
});
