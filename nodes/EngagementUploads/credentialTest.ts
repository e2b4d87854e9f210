/**
 * The credential test, which runs when a credential is saved. n8n calls neither the credential's
 * `authenticate` nor its `preAuthentication` for it, so both are done here: a token is fetched, and
 * the connector list is requested, which needs token, key and client ID. Every failure becomes a
 * message in the editor.
 */
import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type INodeCredentialTestResult,
} from 'n8n-workflow';
import { listConnectors } from './api/endpoints';
import type { Connector } from './api/records';
import { readPage, UnreadableResponse } from './transport/responses';
import { authenticate } from './transport/authenticate';
import { reportFailure, reportUnreadable } from './transport/failureReports';
import {
	isSuccess,
	outcomeOf,
	readAnswer,
	toAttemptFailure,
	type HttpOutcome,
} from './transport/http';
import { onOlderHelper } from './transport/n8nCompat';
import { findNetworkError } from './transport/networkErrors';
import { decideRetry, MAX_ATTEMPTS, type RetryDecision } from './transport/retry';
import { extractServiceMessage } from './transport/serviceMessage';
import { fetchToken, secretsOf } from './transport/tokenRequest';
import { isObject, parseJson } from './values/objects';

/** Timeout of each request in milliseconds: the user waits for the test. */
const TIMEOUT = 10_000;
const FINAL: RetryDecision = { retry: false, reason: 'final' };
const CHECK_BASE_URL =
	"Check the Base URL of the credential: it must be the address of the service's API";
const ADVICE: Record<number, string> = {
	403: 'Check that the Client ID belongs to this token and Subscription Key',
	404: 'Check the Base URL and the Client ID',
};

/** Every connector has at least one of these besides its name. */
const CONNECTOR_FIELDS = ['isRefreshable', 'type', 'scopes', 'title'];
const LIST_NAME =
	/^(_embedded|connectors|content|data|items|list|records|response|results?|values?)$/i;

type Credential = ICredentialDataDecryptedObject;
type HttpRequest = ReturnType<typeof onOlderHelper>;

/** Referred to by `testedBy` of both nodes. */
export async function testConnection(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<Credential>,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	const fault = await findFault(onOlderHelper(helpers.request), data);
	return fault === undefined
		? { status: 'OK', message: 'Connection successful!' }
		: { status: 'Error', message: fault };
}

/** What is wrong with a credential, in the editor's terms; undefined if nothing is. */
async function findFault(httpRequest: HttpRequest, credential: Credential) {
	try {
		const usesEndpoint = credential.authentication === 'tokenEndpoint';
		const token = usesEndpoint && (await fetchToken({ httpRequest }, credential, TIMEOUT));
		const complete = { ...credential, ...token };
		return describeFault(await requestConnectors(httpRequest, complete), complete);
	} catch (error) {
		// Invalid entries, and failures of the token endpoint.
		if (error instanceof UserError) return error.message;
		return describeFault(outcomeOf(error), credential, findNetworkError(error)?.code);
	}
}

async function requestConnectors(httpRequest: HttpRequest, credential: Credential) {
	const { method, path: url } = listConnectors();
	const headers = { Accept: 'application/json' };
	const options = authenticate(credential, { method, url, headers, timeout: TIMEOUT });
	const abortSignal = AbortSignal.timeout(TIMEOUT);
	return await readAnswer(await httpRequest({ ...options, abortSignal }));
}

function describeFault(
	outcome: HttpOutcome,
	credential: Credential,
	code?: string,
): string | undefined {
	if ('unreadable' in outcome) return unexpectedResponse('', outcome.unreadable);
	if ('text' in outcome && isSuccess(outcome.status)) return describeListFault(outcome.text);
	const now = Date.now();
	const failure = toAttemptFailure(outcome);
	const attempt = { repeatable: true, attempts: MAX_ATTEMPTS, now, random: 0 };
	const decision = failure === undefined ? FINAL : decideRetry({ ...attempt, failure });
	const text = 'text' in outcome ? outcome.text : '';
	const serviceMessage = extractServiceMessage(text, secretsOf(credential));
	const request = { outcome, decision, attempts: 1, timeout: TIMEOUT };
	const { problem, advice } = reportFailure({ ...request, serviceMessage, credential, now });
	const isFinal = 'status' in outcome && !decision.retry && decision.reason === 'final';
	const details = [
		'failure' in outcome && code !== undefined && ` (${code})`,
		serviceMessage !== undefined && `. The service said: “${serviceMessage}”`,
	];
	return sentences(
		`${problem}${details.filter(Boolean).join('')}`,
		(isFinal && ADVICE[outcome.status]) || advice,
	);
}

/** Any host may respond with a success status, but with a web page or other data. */
function describeListFault(text: string): string | undefined {
	const body = parseJson(text);
	if (body === undefined) return unexpectedResponse(text);
	const page = readPage(body, listConnectors().kind);
	if (page instanceof UnreadableResponse) return unexpectedResponse(text, page.why);
	const { records, isAlone = false } = page;
	const isConnector = (record: Connector) =>
		typeof record.name === 'string' &&
		(isAlone ? ['isRefreshable'] : CONNECTOR_FIELDS).some((name) => Object.hasOwn(record, name));
	const isList = records.length === 0 ? isEmptyList(body) : records.every(isConnector);
	return isList ? undefined : unexpectedResponse(text, 'it is something else');
}

/** Other data has empty lists too, under other names. */
function isEmptyList(body: unknown): boolean {
	if (!isObject(body)) return Array.isArray(body);
	return Object.entries(body).some(([name, value]) => LIST_NAME.test(name) && isEmptyList(value));
}

function unexpectedResponse(text: string, why?: string): string {
	const { problem } = reportUnreadable('GET', text, undefined, why);
	return sentences(`${problem}. A list of connectors was expected`, CHECK_BASE_URL);
}

function sentences(problem: string, advice: string): string {
	return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}. ${advice}`;
}
