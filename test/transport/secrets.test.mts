/** A service that echoes the secrets of each request: nobody gets to see them. */
import { inspect } from 'node:util';
import type { IDataObject } from 'n8n-workflow';

import { makeCredential } from '../support/world/credentials.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { searchList, testCredential } from '../support/engine/lookups.mts';
import { runNode, type NodeRun } from '../support/engine/nodeRun.mts';
import { secretsIn } from '../support/engine/secrets.mts';
import { onErrorContinue, useService } from '../support/engine/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';

useVirtualTime();

const KEY = 'gw&5d0b=7a1e93c84f26+b7';
const TOKEN = 'pasted.token/with+signs="quoted"-a1b2c3d4e5f6';
const FIELD = 'api key+with/signs!9f8e7d6c5b4a';
/** Opaque, so that only its value identifies it as a token. */
const SESSION = 'fetched.token/with+signs=0f9e8d7c6b5a';

/** What the service answers, given the secrets in a request; the token endpoint may do the same. */
type Answer = (secrets: string[]) => { status: number; body: unknown };
let answer: Answer;
let tokenAnswer: Answer;
let service: SimulatedService;

useService(beforeAll, async () => {
	service = await startService();
	service.handle = ({ path, headers }) => {
		const token = String(headers.authorization).replace('Bearer ', '');
		const key = String(headers['ocp-apim-subscription-key']);
		const isToken = path === service.tokenPath;
		const response = isToken ? tokenAnswer([key, FIELD]) : answer([token, key]);
		return { response: { headers: {}, ...response } };
	};
	return service;
});
beforeEach(() => {
	const token = { access_token: SESSION, clientId: 'a-client' };
	tokenAnswer = () => ({ status: 200, body: token });
});

const pasted = () => makeCredential(service, { subscriptionApiKey: KEY, accessToken: TOKEN });
let credentialsMade = 0;
/** A new one each time, since a process remembers the tokens of a credential. */
const fetched = (): IDataObject => ({
	...pasted(),
	authentication: 'tokenEndpoint',
	tokenRequestFields: JSON.stringify({ key: FIELD, nr: credentialsMade++ }),
});

/** test/values/redact.test.mts has the forms in which a service may echo a secret. */
const echo =
	(status: number): Answer =>
	(secrets) => ({ status, body: { message: secrets.join(' nor ') } });

/** Everything that the user, a workflow or a log can see of a run. */
async function showRun(more: Partial<NodeRun>, credential: IDataObject): Promise<string> {
	const parameters = { resource: 'company', operation: 'get', engagementId: 1 };
	const { error, items, run } = await runNode({ parameters, credential, ...more });
	return show([{ ...error }, error?.message, error?.stack, items, run.data.resultData]);
}
const show = (seen: unknown) => inspect(seen, { depth: 20, maxStringLength: null });

/** Where secrets might be shown. */
const places: Record<string, (credential: IDataObject) => Promise<string>> = {
	'a node that stops': async (credential) => await showRun({}, credential),
	'a node that continues': async (credential) => await showRun(onErrorContinue, credential),
	'a list for the editor': async (credential) => {
		const search = searchList({ credential, method: 'searchConnectors' });
		return show(await search.catch(({ message, stack }: Error) => [message, stack]));
	},
	'the credential test': async (credential) => show(await testCredential(credential)),
};

function expectMasked(shown: string, secrets = [KEY, TOKEN, FIELD, SESSION]): void {
	expect(shown).toContain('***');
	expect(secretsIn(shown.replace(/\\n|\s/g, ''), secrets)).toEqual([]);
}

describe.each(Object.entries(places))('in %s, no secret is shown', (_, showIn) => {
	it.each([401, 400, 200])('that the service echoes with status %i', async (status) => {
		answer = echo(status);
		for (const credential of [pasted(), fetched()]) expectMasked(await showIn(credential));
	});

	it('that the token endpoint echoes', async () => {
		tokenAnswer = echo(400);
		expectMasked(await showIn(fetched()));
	});
});

it('a key that is entered while the node runs is not shown either', async () => {
	const store = new CredentialStore(pasted());
	const edited = 'another-key-77aa88bb99cc';
	answer = (secrets) => {
		store.save({ ...pasted(), subscriptionApiKey: edited });
		if (secrets[1] === edited) return echo(400)(secrets);
		return { status: 200, body: { content: [{ uploadId: 'a' }], last: false } };
	};
	const parameters = { resource: 'upload', operation: 'getAll', returnAll: true };
	expectMasked(await showRun({ parameters, credential: store }, {}), [edited]);
});
