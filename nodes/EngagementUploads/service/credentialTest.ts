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
import { classify } from '../transport/classify';
import { authenticate, exchange } from '../transport/exchange';
import type { Failure, FailureKind } from '../transport/failures';
import { describe, toSentences } from '../transport/messages';
import { onOlderHelper } from '../transport/n8nHttp';
import { isCertain } from '../transport/request';
import { readPage, readResponse, UnreadableResponse } from '../transport/responses';
import { asksForTooLong } from '../transport/retry';
import { fetchToken, timeToNextTry } from '../transport/token';
import { systemClock, timeOfDay } from '../values/clock';
import { listConnectors } from './endpoints';

/** Timeout of each request in milliseconds: the user waits for the test. */
const TIMEOUT = 10_000;
const CHECK_BASE_URL =
	"Check the Base URL of the credential: it must be the address of the service's API";
const CHECK_PATH = `${CHECK_BASE_URL}. Check the Client ID too`;

/** In place of advice about the parameters of a node; the Client ID is part of the path. */
const ADVICE: Partial<Record<FailureKind, string>> = {
	invalid: CHECK_PATH,
	notFound: CHECK_PATH,
	rejected: CHECK_BASE_URL,
	timeout: CHECK_BASE_URL,
};

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
	const fetchedAt = systemClock.now();
	const session = fetched && toSession(entered, fetched);
	const credential = parseCredential({ ...data, ...session });
	let failure = await tryConnectors(send, credential);
	// The gateway's clock may be behind.
	while (fetched !== undefined && failure?.kind === 'unauthorized') {
		const pause = timeToNextTry(fetchedAt);
		if (pause === undefined) break;
		await systemClock.sleep(pause);
		failure = await tryConnectors(send, credential);
	}
	if (failure === undefined) return undefined;
	const { kind, retryAfter = 0, advice = ADVICE[kind] } = failure;
	const until = asksForTooLong(failure, Infinity) ? timeOfDay() + retryAfter : undefined;
	const texts = describe({ ...failure, advice }, { credential, closed: { why: 'wait', until } });
	return toSentences(texts);
}

/** How the request for the connectors fails; undefined if it does not. */
async function tryConnectors(send: Send, credential: Credential): Promise<Failure | undefined> {
	const { method, path: url } = listConnectors();
	const headers = { Accept: 'application/json' };
	const signal = AbortSignal.timeout(TIMEOUT);
	const options = authenticate(credential, { method, url, headers, timeout: TIMEOUT });
	const ending = await exchange(async () => await send(options), TIMEOUT, signal);
	const response = readResponse(ending, checkConnectors);
	return 'value' in response ? undefined : classify(response);
}

/** @throws UnreadableResponse if a response is anything but a list of connectors */
function checkConnectors(body: unknown): void {
	const { kind } = listConnectors();
	if (readPage(body, kind).records.every((record) => isCertain(record, kind))) return;
	throw new UnreadableResponse('it is not a list of connectors');
}
