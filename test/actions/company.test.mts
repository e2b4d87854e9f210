/** Company > Get, of an engagement whose customer has shared nothing. */
import { errorText, run, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeAll);

it.each([
	[404, { message: 'No company' }],
	[204, undefined],
	[200, {}],
	[200, { name: null, townCity: null }],
])('a %d with %j says that there may be no data yet', async (status, body) => {
	service.fail({}, { kind: 'status', status, body });
	const get = { resource: 'company', operation: 'get', engagementId: 1001 };
	expect(errorText(await run(service, get))).toContain('may not have shared data yet');
});
