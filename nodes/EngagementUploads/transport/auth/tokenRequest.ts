/** The request to the token endpoint (docs/service.md#authentication). */
import { UserError, type IHttpRequestOptions } from 'n8n-workflow';
import { isObject, parseJson } from '../../values/objects';
import { describeFailure, toSentences } from '../failures/describeFailure';
import { answerWithin } from '../http/answer';
import { isSuccess, outcomeOf, type Outcome } from '../http/outcome';
import { ANY_RESPONSE } from '../n8nCompat';
import { bearer, type Credential, type FetchedToken, type TokenRequest } from './credential';

/** Why no token could be fetched; the credential's form shows the message. */
export class TokenError extends UserError {
	/** Private, since n8n may log all other fields, and the response may echo a secret. */
	readonly #outcome: Outcome;

	constructor(outcome: Outcome, message: string) {
		super(message);
		this.#outcome = outcome;
	}

	get outcome(): Outcome {
		return this.#outcome;
	}
}

const TOKEN_NAMES = ['access_token', 'accessToken', 'token'];
const TIMEOUT = 30_000;

/** Sends one token request; retrying is up to the caller. @throws TokenError */
export async function fetchToken(
	send: (options: IHttpRequestOptions) => Promise<unknown>,
	credential: Credential,
	timeout = TIMEOUT,
): Promise<FetchedToken> {
	const { tokenRequest, subscriptionKey } = credential;
	if (tokenRequest === undefined) throw new UserError('The credential has no token endpoint');
	const options = { ...requestOptions(tokenRequest, subscriptionKey), timeout };
	const outcome = await answerWithin(
		timeout,
		async (abortSignal) => await send({ ...options, abortSignal }),
	).catch(outcomeOf);
	const token = 'status' in outcome ? tokenIn(outcome) : undefined;
	if (token !== undefined) return token;
	const report = describeFailure({ withoutToken: outcome }, { credential, timeout });
	throw new TokenError(outcome, toSentences(report));
}

function requestOptions({ url, asJson, fields }: TokenRequest, subscriptionKey: string) {
	const entries = Object.entries(fields).map(([name, value]): [string, string] => {
		return [name, isObject(value) ? JSON.stringify(value) : String(value)];
	});
	return {
		method: 'POST' as const,
		url,
		headers: {
			Accept: 'application/json',
			'Content-Type': asJson ? 'application/json' : 'application/x-www-form-urlencoded',
			'Ocp-Apim-Subscription-Key': subscriptionKey,
		},
		body: asJson ? JSON.stringify(fields) : new URLSearchParams(entries).toString(),
		...ANY_RESPONSE,
	};
}

function tokenIn({ status, text }: Extract<Outcome, { status: number }>): FetchedToken | undefined {
	const response = isSuccess(status) ? parseJson(text) : undefined;
	const fields = isObject(response) ? response : {};
	const token = TOKEN_NAMES.map((name) => fields[name]).find(
		(value) => typeof value === 'string' && value !== '',
	);
	if (typeof token !== 'string') return undefined;
	const clientId = typeof fields.clientId === 'string' ? fields.clientId : undefined;
	return { token: bearer(token), clientId };
}
