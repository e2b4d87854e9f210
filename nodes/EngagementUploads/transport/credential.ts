/**
 * The credential, parsed once: nothing else reads what the user entered, so that nodes, token request,
 * credential test and HTTP Request node report the same mistakes. Invariant: a fetched token, and the
 * client ID that came with it, belong to the request that fetched them. n8n keeps both when the user edits
 * the credential, but they are ignored then. A fetched token whose life is over counts as none, since n8n itself
 * replaces a token only after a 401.
 */
import { type ICredentialDataDecryptedObject, UserError } from 'n8n-workflow';
import { MINUTE, SECOND, systemClock, timeOfDay } from '../values/clock';
import { parsePlausibleTime } from '../values/dates';
import { isObject, parseJson } from '../values/objects';
import { isTimeZone } from '../values/zones';
import { fingerprint, isEmpty } from '../values/text';
import { parseBaseUrl, tokenAddress } from './address';

/** The credential's type name. */
export const CREDENTIAL = 'engagementUploadsApi';

/** How to request a token, as the user set it up (docs/service.md#authentication). */
export interface TokenRequest {
	url: string;
	asJson: boolean;
	fields: Record<string, unknown>;
	/** The user entered no fields, so the standard ones are sent. */
	isStandard: boolean;
	/** A fingerprint of everything that the token depends on. */
	fingerprint: string;
}

/** A token from the token endpoint, and the client ID, if that came with it. */
export interface FetchedToken {
	token: string;
	clientId?: string;
	/** The time of day at which it was fetched. */
	fetchedAt?: number;
	/** How long it lives, in milliseconds; undefined if nothing says so. */
	life?: number;
}

export interface Credential {
	/** The Base URL without a trailing `/` or `/v1`. */
	base: string;
	/** IANA zone of the service's times without an offset. */
	zone: string;
	/** As entered, else as returned by the token endpoint; may be empty. */
	clientId: string;
	/** The user has entered it. */
	hasClientId: boolean;
	subscriptionKey: string;
	/** The bearer token; empty if it has not been fetched yet. */
	token: string;
	/** How tokens are fetched; undefined with a pasted token. */
	tokenRequest?: TokenRequest;
}

const STANDARD_GRANT_TYPE = 'vapi_key';

/** @throws UserError that says what is wrong, without quoting anything secret */
export function parseCredential(data: ICredentialDataDecryptedObject): Credential {
	const base = parseBaseUrl(data.baseUrl);
	const zone = parseZone(data.timeZone);
	const subscriptionKey = toHeaderText(readText(data.subscriptionApiKey));
	if (subscriptionKey === '')
		throw new UserError('The credential has no Subscription Key. Enter it in the credential');
	const clientId = readText(data.clientId);
	const common = { base, zone, clientId, hasClientId: clientId !== '', subscriptionKey };
	if (data.authentication === 'accessToken') {
		const token = stripBearer(data.accessToken);
		if (token !== '') return { ...common, token };
		throw new UserError(
			'The credential has no Access Token. Enter one, or set Authentication to Subscription Key',
		);
	}
	const request = {
		url: tokenAddress(base, readText(data.tokenUrl)),
		asJson: data.requestFormat === 'json',
		...tokenRequestFields(data.tokenRequestFields, subscriptionKey),
	};
	const own = fingerprint(JSON.stringify([base, subscriptionKey, request]));
	const [fetchedBy, token = '', ...times] = readText(data.sessionToken).split(' ');
	const [fetchedAt = NaN, life = NaN] = times.map(Number);
	const isOwn = fetchedBy === own;
	const isCurrent = isOwn && !isOver(fetchedAt, life, knownFor(own, token));
	return {
		...common,
		clientId: clientId || (isOwn ? readText(data.sessionClientId) : ''),
		token: isCurrent ? stripBearer(token) : '',
		tokenRequest: { ...request, fingerprint: own },
	};
}

/** What n8n stores of a fetched token, for `parseCredential` to read. */
export function toSession({ tokenRequest }: Credential, fetched: FetchedToken) {
	const { token, clientId = '', fetchedAt, life } = fetched;
	const times = life === undefined ? '' : ` ${fetchedAt} ${life}`;
	// Without a client ID, that of an earlier token must not stay.
	return {
		sessionToken: `${tokenRequest?.fingerprint} ${token}${times}`,
		sessionClientId: clientId,
	};
}

/** For how long a token counts as new, and is not replaced (token.ts). */
export const NEW_FOR = 10 * SECOND;
/** A token counts as none this long before its life is over, unless it is new. */
const MARGIN = 10 * SECOND;
const LEAST_USE = NEW_FOR + SECOND;
/** By how much the clocks of two processes may differ. */
const MAX_SKEW = MINUTE;

/** When this process first saw the latest token of each request, on the monotonic clock. */
const seen = new Map<string, { token: string; at: number }>();

/** Notes a new token. Returns for how long this process has known it, by the monotonic clock. */
function knownFor(fingerprint: string, token: string): number {
	const now = systemClock.now();
	const known = seen.get(fingerprint);
	if (known?.token === token) return now - known.at;
	seen.set(fingerprint, { token, at: now });
	return 0;
}

/**
 * Whether a token's life is over. This needs no correct clock, and the time of day may be changed meanwhile.
 * @param leastAge a lower bound of its age
 */
function isOver(fetchedAt: number, life: number, leastAge: number): boolean {
	const age = timeOfDay() - fetchedAt;
	const isOld = Math.max(age, leastAge) >= Math.max(life - MARGIN, LEAST_USE);
	return isOld || (life > 0 && age < -MAX_SKEW);
}

/** A token without the prefix “Bearer”, which may have been pasted with it. */
export function stripBearer(token: unknown): string {
	return toHeaderText(readText(token).replace(/^bearer(\s|$)/i, ''));
}

/** A text without characters that no header can contain, such as invisible ones. */
function toHeaderText(text: string): string {
	return text.replace(/[^\x21-\x7e]/g, '');
}

/** When a JSON Web Token expires, in epoch milliseconds, if it says so. */
export function tokenExpiry(token: string): number | undefined {
	return parsePlausibleTime(readClaims(token).exp, 'UTC');
}

/** What a JSON Web Token says of itself; nothing for any other token. */
export function readClaims(token: string): Record<string, unknown> {
	const payload = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
	return isObject(payload) ? payload : {};
}

/** Everything in a credential that must not be shown. */
export function listSecrets({ token, subscriptionKey, tokenRequest }: Credential): string[] {
	return [token, subscriptionKey, ...listSecretValues(tokenRequest?.fields, '')];
}

/** A text or number without blanks around it; empty for anything else. */
export function readText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

function parseZone(value: unknown): string {
	const zone = readText(value) || 'UTC';
	const isAbbreviation = /^[a-z]{3}$/i.test(zone) && !/^(?:UTC|GMT)$/i.test(zone);
	if (isTimeZone(zone) && !isAbbreviation) return zone;
	throw new UserError(
		`The Time Zone “${zone}” of the credential is unknown, or an abbreviation that can mean several zones. Enter the IANA name of a time zone, such as Europe/London, or UTC`,
	);
}

/** The fields of the token request; the standard ones if none are entered, or only empty ones. */
function tokenRequestFields(
	value: unknown,
	key: string,
): Pick<TokenRequest, 'fields' | 'isStandard'> {
	const entered = typeof value === 'string' ? parseJson(value) : value;
	const fields = isEmpty(value) ? {} : entered;
	if (!isObject(fields)) {
		throw new UserError(
			'The Token Request Fields of the credential are not valid JSON. Enter a JSON object such as {"grant_type": "…", "key": "…"} in Token Request Fields, or leave them empty',
		);
	}
	return Object.values(fields).every((entry) => entry === '')
		? { fields: { grant_type: STANDARD_GRANT_TYPE, key }, isStandard: true }
		: { fields, isStandard: false };
}

/** Fields whose values are not secrets, but words that messages contain. */
const HARMLESS_NAMES = /^(grant_?type|scopes?)$/i;

/** The texts and numbers in all other fields of a token request, at any depth. */
function listSecretValues(value: unknown, name: string): string[] {
	if (typeof value === 'object' && value !== null)
		return Object.entries(value).flatMap(([key, inner]) =>
			listSecretValues(inner, Array.isArray(value) ? name : key),
		);
	return HARMLESS_NAMES.test(name) ? [] : [readText(value)];
}
