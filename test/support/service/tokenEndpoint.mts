import { parseJson, type SimResponse, type SimRequest } from './request.mts';
import type { Service } from './service.mts';
import { isFields } from './validate.mts';

function json(status: number, body: unknown): SimResponse {
	return { status, headers: { 'content-type': 'application/json' }, body };
}

function refused(error: string, description: string): SimResponse {
	return json(400, { error, error_description: description });
}

function readFields({ headers, body = '' }: SimRequest): Record<string, unknown> | null {
	const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
	if (type === 'application/x-www-form-urlencoded')
		return Object.fromEntries(new URLSearchParams(body));
	const value = type === 'application/json' ? parseJson(body) : undefined;
	return isFields(value) ? value : null;
}

/**
 * The token endpoint (docs/service.md#authentication): takes a grant type and an API key, returns
 * an access token.
 */
export function respondToTokenRequest(service: Service, request: SimRequest): SimResponse {
	if (request.method !== 'POST') return json(405, { statusCode: 405, message: 'Use POST' });
	const fields = readFields(request);
	if (!fields) return refused('invalid_request', 'The body is neither a form nor a JSON object');
	const wanted = service.tokenRequestFields;
	const unknown = Object.keys(fields).find((name) => !Object.hasOwn(wanted, name));
	if (unknown !== undefined) return refused('invalid_request', `Unknown field ${unknown}`);
	if (fields.grant_type !== wanted.grant_type) {
		return refused('unsupported_grant_type', 'The grant type is not supported');
	}
	// The key of the header works here too, as does a second one.
	if (fields.key !== wanted.key && fields.key !== service.subscriptionKey)
		return refused('invalid_grant', 'The API key is not valid');
	return json(200, {
		access_token: service.issueToken(),
		token_type: 'Bearer',
		expires_in: Math.ceil(service.settings.tokenLifetimeMs / 1000),
		clientId: service.clientId,
	});
}
