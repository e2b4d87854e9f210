/**
 * Addresses of the service. Invariant: token and key reach no other host and are never sent in plain text,
 * since all requests, including those for tokens and in the credential test, go through `parseBaseUrl` and
 * `resolveAddress`.
 */
import { UserError } from 'n8n-workflow';
import { toUuid } from '../values/ids';

/**
 * Placeholder for the client ID after `/clients/` in a path, since the ID may be unknown until a token has
 * been fetched. It also works in n8n's HTTP Request node, as in `https://…/v1/clients/__CLIENT_ID__/users`.
 */
export const CLIENT_ID = '__CLIENT_ID__';

const CLIENT_ID_IN_PATH = new RegExp(`^([^?#]*/clients/)${CLIENT_ID}(?=[/?#]|$)`);
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const DEFAULT_TOKEN_URL = '/v1/oauth/token';
const OTHER_HOST =
	'The request was not sent, because it goes to a different host from the Base URL of the credential. Enter an address on that host: the token and key must not reach other hosts';
const TOKEN_ON_OTHER_HOST = `The Token URL is on a different host from the Base URL. Enter a path such as ${DEFAULT_TOKEN_URL}`;
const CLIENT_ID_FORM = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** The Base URL without what follows from `/v1` on. @throws UserError that does not quote it */
export function parseBaseUrl(baseUrl: unknown): string {
	const entered = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	const text = entered.replace(/(?<=[^/])\/v1([/?#].*)?$/i, '');
	if (text === '')
		throw new UserError(
			'The credential has no Base URL. Enter the address of the service, e.g. https://api.example.com',
		);
	const url = tryParse(text);
	if (url === undefined || url.username !== '' || url.password !== '' || /[?#]/.test(text)) {
		throw new UserError(
			'The Base URL of the credential is not a valid address. Enter it with https:// in front, and without user name, query or fragment, e.g. https://api.example.com',
		);
	}
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) {
		throw new UserError(
			'The Base URL of the credential must start with https:// so that the token and key are not sent in plain text. Only a service on the same computer may use http://',
		);
	}
	return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Whether a target names a host, or could be mistaken for one that does. */
function isAbsolute(target: string): boolean {
	return /^[a-z][a-z0-9+.-]*:|^[\\/]{2}/i.test(target);
}

/**
 * The full address of a request.
 * @param base what `parseBaseUrl` returned
 * @param target a path such as `/v1/clients/__CLIENT_ID__/users`, or an absolute URL on the same host
 * @throws UserError with the message if the target is on another host
 */
export function resolveAddress(base: string, target: string, message = OTHER_HOST): string {
	if (!isAbsolute(target)) return `${base}${target.startsWith('/') ? '' : '/'}${target}`;
	if (isOnHost(base, target)) return target;
	throw new UserError(message);
}

/** The full address of the token endpoint. @throws UserError if that is on another host */
export function tokenAddress(base: string, tokenUrl: string): string {
	return resolveAddress(base, tokenUrl || DEFAULT_TOKEN_URL, TOKEN_ON_OTHER_HOST);
}

function isOnHost(base: string, target: string): boolean {
	const url = tryParse(target);
	return url?.origin === new URL(base).origin && url.username === '' && url.password === '';
}

/** Fills in the client ID. @throws UserError if the address needs one that is missing or invalid */
export function withClientId(address: string, id: string): string {
	if (!CLIENT_ID_IN_PATH.test(address)) return address;
	if (id === '') {
		throw new UserError(
			'The credential has no Client ID, and no token endpoint returned one. Enter the Client ID in the credential',
		);
	}
	if (!CLIENT_ID_FORM.test(id)) {
		throw new UserError(
			'The Client ID of the credential is not a valid ID. Enter the UUID of your account with the service',
		);
	}
	return address.replace(CLIENT_ID_IN_PATH, `$1${toUuid(id)}`);
}

function tryParse(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}
