/**
 * The credential, parsed once: nothing else reads what the user entered, so that nodes, token request,
 * credential test and HTTP Request node report the same mistakes. Invariant: a fetched token, and the
 * client ID that came with it, belong to the request that fetched them. n8n keeps both when the user edits
 * the credential, but they are ignored then. A fetched token whose life is over counts as none, since n8n itself
 * replaces a token only after a 401.
 */
import { type ICredentialDataDecryptedObject, UserError } from 'n8n-workflow';
import { timeOfDay } from '../values/clock';
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
	/** A fingerprint of everything that the token depends on. */
	fingerprint: string;
}

/** A token from the token endpoint, and the client ID, if that came with it. */
export interface FetchedToken {
	token: string;
	clientId?: string;
	/** Until when it is used, as the time of day of this computer; undefined if nothing tells its life. */
	until?: number;
}

export interface Credential {
	/** The Base URL without a trailing `/` or `/v1`. */
	base: string;
	/** IANA zone of the service's times without an offset. */
	zone: string;
	/** As entered, else as returned by the token endpoint; may be empty. */
	clientId: string;
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
	const common = { base, zone, clientId, subscriptionKey };
	if (data.authentication === 'accessToken') {
		const token = stripBearer(data.accessToken);
		if (token !== '') return { ...common, token };
		throw new UserError(
			'The credential has no Access Token. Enter one, or set Authentication to Automatic',
		);
	}
	const request = {
		url: tokenAddress(base, readText(data.tokenUrl)),
		asJson: data.requestFormat === 'json',
		fields: tokenRequestFields(data.tokenRequestFields, subscriptionKey),
	};
	const own = fingerprint(JSON.stringify([base, subscriptionKey, request]));
	const [fetchedBy, token = '', until = Infinity] = readText(data.sessionToken).split(' ');
	const isOwn = fetchedBy === own;
	const isCurrent = isOwn && timeOfDay() < Number(until);
	return {
		...common,
		clientId: clientId || (isOwn ? readText(data.sessionClientId) : ''),
		token: isCurrent ? stripBearer(token) : '',
		tokenRequest: { ...request, fingerprint: own },
	};
}

/** What n8n stores of a fetched token, for `parseCredential` to read. */
export function toSession({ tokenRequest }: Credential, fetched: FetchedToken) {
	const { token, clientId = '', until = '' } = fetched;
	// Without a client ID, that of an earlier token must not stay.
	return {
		sessionToken: `${tokenRequest?.fingerprint} ${token} ${until}`.trim(),
		sessionClientId: clientId,
	};
}

/** A token without the prefix “Bearer”, which may have been pasted with it. */
export function stripBearer(token: unknown): string {
	return toHeaderText(readText(token).replace(/^bearer(\s|$)/i, ''));
}

/** A text without characters that no header can contain, such as invisible ones. */
function toHeaderText(text: string): string {
	return text.replace(/[^\x21-\x7e]/g, '');
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
function tokenRequestFields(value: unknown, key: string): TokenRequest['fields'] {
	const entered = typeof value === 'string' ? parseJson(value) : value;
	const fields = isEmpty(value) ? {} : entered;
	if (!isObject(fields)) {
		throw new UserError(
			'The Token Request Fields of the credential are not valid JSON. Enter a JSON object such as {"grant_type": "…", "key": "…"} in Token Request Fields, or leave them empty',
		);
	}
	const isStandard = Object.values(fields).every((entry) => entry === '');
	return isStandard ? { grant_type: STANDARD_GRANT_TYPE, key } : fields;
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
