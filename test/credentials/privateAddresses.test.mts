/** n8n's own protection: its administrator may forbid requests to private addresses. */
import { makeCredential, makeEndpointCredential } from '../support/world/credentials.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { protectPrivateAddresses } from '../support/engine/lines.mts';
import { testCredential } from '../support/engine/lookups.mts';
import { errorText, run, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeEach);

beforeEach(() => protectPrivateAddresses(true));

afterEach(() => protectPrivateAddresses(false));

const read = { resource: 'company', operation: 'get', engagementId: 1001 };
const write = { resource: 'engagement', operation: 'create', name: 'Nordlicht' };
const refused =
	/the request was blocked because it resolves to a restricted IP address.*127\.0\.0\.1.*ask your n8n administrator to allowlist/;

it.each([read, write])('$operation is not sent, and says what n8n says', async (parameters) => {
	const text = errorText(await run(service, parameters, [{}]));
	expect(text).toMatch(refused);
	expect(text).not.toMatch(/unknown|could not be read|\.\.|Check the/);
	expect(service.requests).toEqual([]);
});

it('a token is not requested either', async () => {
	const credential = new CredentialStore(makeEndpointCredential(service));
	expect(errorText(await run(service, write, [{}], { credential }))).toMatch(refused);
	expect(service.requests).toEqual([]);
});

it('the credential test says so', async () => {
	for (const credential of [makeCredential(service), makeEndpointCredential(service)]) {
		const { status, message } = await testCredential(credential);
		expect(status).toBe('Error');
		expect(message).toMatch(/request was blocked because.*administrator/);
		expect(message).not.toContain('Base URL');
	}
});
