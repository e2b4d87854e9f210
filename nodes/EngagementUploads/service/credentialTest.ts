/**
 * The credential test, which runs when a credential is saved. It requests the connector list, which needs
 * token, key and client ID. It does so without the client, and fetches the token itself, since n8n hands a
 * test neither a node nor a helper that calls the credential's methods. Every failure becomes a message in
 * the editor.
 */
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { type Credential, parseCredential, toSession } from '../transport/credential';
import { authenticate, exchange } from '../transport/exchange';
import { classify, type Failure } from '../transport/failures';
import { describe, toSentences } from '../transport/messages';
import { onOlderHelper } from '../transport/n8nHttp';
import { readPage, readResponse } from '../transport/responses';
import { asksForTooLong } from '../transport/retry';
import { fetchToken } from '../transport/token';
import { systemClock, timeOfDay } from '../values/clock';
import { listConnectors } from './endpoints';

/** Timeout of each request in milliseconds: the user waits for the test. */
const TIMEOUT = 10_000;
/** Between tries with a new token. */
const PAUSE = 2500;
/** In place of advice about the parameters of a node. */
const CHECK_ADDRESS =
	"Check the Base URL and the Client ID of the credential: the Base URL must be the address of the service's API";

type Send = ReturnType<typeof onOlderHelper>;

/** Referred to by `testedBy` of both nodes. */
export async function testConnection(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	const send = onOlderHelper(helpers.request);
	// Invalid entries and failures of the token endpoint are errors with a message for the user.
	const problem = await findProblem(send, data).catch(({ message }: Error) => message);
	return problem === undefined
		? { status: 'OK', message: 'Connection successful!' }
		: { status: 'Error', message: problem };
}

/** What is wrong with a credential, in the editor's terms; undefined if nothing is. */
async function findProblem(send: Send, data: ICredentialDataDecryptedObject) {
	const entered = parseCredential(data);
	const fetched = entered.tokenRequest && (await fetchToken(send, entered, TIMEOUT));
	const session = fetched && toSession(entered, fetched);
	const credential = parseCredential({ ...data, ...session });
	let failure = await tryConnectors(send, credential);
	// The gateway's clock may be seconds behind.
	for (let tries = 0; tries < 3 && failure?.kind === 'newTokenRejected'; tries++) {
		await systemClock.sleep(PAUSE);
		failure = await tryConnectors(send, credential);
	}
	if (failure === undefined) return undefined;
	const { fault, retryAfter = 0 } = failure;
	const until = asksForTooLong(failure, Infinity) ? timeOfDay() + retryAfter : undefined;
	const isAddress = fault === 'request' || fault === 'timeout';
	const advice = isAddress ? CHECK_ADDRESS : failure.advice;
	return toSentences(describe({ ...failure, advice }, { credential, until }));
}

/** How the request for the connectors fails; undefined if it does not. */
async function tryConnectors(send: Send, credential: Credential): Promise<Failure | undefined> {
	const { method, path: url, kind } = listConnectors();
	const headers = { Accept: 'application/json' };
	const signal = AbortSignal.timeout(TIMEOUT);
	const options = authenticate(credential, { method, url, headers, timeout: TIMEOUT });
	const ending = await exchange(async () => await send(options), TIMEOUT, signal);
	const response = readResponse(ending, (body) => readPage(body, kind));
	const fetchesToken = credential.tokenRequest !== undefined;
	return 'value' in response ? undefined : classify(response, { fetchesToken });
}
