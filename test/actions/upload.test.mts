/** Upload > Start and Get Processing Steps. */
import { errorText, readOutput, run, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeAll);

it('Split Steps returns one item per step in the order of the process', async () => {
	const own = { uploadId: 'a', engagementId: 1001 };
	const steps = [2, 1, 3].map((sorting) => ({ sorting }));
	service.fail({}, { kind: 'status', status: 200, body: { ...own, steps } });
	// docs/output.md has a whole step.
	const split = { resource: 'upload', operation: 'getWorkflow', splitSteps: true, output: 'raw' };
	const expected = [1, 2, 3].map((sorting) => ({ sorting, ...own }));
	expect(await readOutput(service, { ...split, ...own })).toMatchObject(expected);
});

it.each([
	[{ type: 'DOWNLOAD', redirectUrl: 'https://a', acmeClientUrl: 'https://b' }, 'https://b'],
	[{ type: 'REDIRECT', redirectUrl: 'https://a', acmeClientUrl: 'https://b' }, 'https://a'],
	[{ type: 'DOWNLOAD', acmeClientUrl: 'null', url: 'https://a' }, 'https://a'],
])('Upload > Start takes the address for the customer from %j', async (body, url) => {
	service.fail({}, { kind: 'status', status: 200, body });
	const start = { resource: 'upload', operation: 'start', connectorName: 'cloudbooks' };
	expect(await readOutput(service, { ...start, engagementId: 1001 })).toMatchObject([{ url }]);
});

it('Upload > Start without an address for the customer has an unknown outcome', async () => {
	service.fail({}, { kind: 'status', status: 200, body: { type: 'REDIRECT', url: 'null' } });
	const start = { resource: 'upload', operation: 'start', connectorName: 'cloudbooks' };
	expect(errorText(await run(service, { ...start, engagementId: 1001 }))).toMatch(
		/outcome is unknown because .* expected redirectUrl or another web address, got type, url/,
	);
});
