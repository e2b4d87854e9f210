import { connectPage } from './connectPage.mts';
import { errorResponse, refuse, Refusal } from './refusal.mts';
import type { SimResponse, SimRequest } from './request.mts';
import { ROUTES, toPattern, type Call } from './routes.mts';
import type { Service } from './service.mts';
import { respondToTokenRequest } from './tokenEndpoint.mts';
import { checkQuery, readBody, readInteger } from './validate.mts';

const MAX_URL_LENGTH = 2000;

/** Responds to one request, or rejects what docs/service.md does not allow. No sockets, no faults. */
export function respond(service: Service, request: SimRequest): SimResponse {
	service.model.clock.settle();
	const page = connectPage(service, request);
	if (page) return page;
	try {
		passGateway(service, request);
		if (request.path === service.tokenPath) return respondToTokenRequest(service, request);
		const body = callRoute(service, request);
		if (body === undefined) return { status: 204, headers: {}, body };
		return { status: 200, headers: { 'content-type': 'application/json' }, body };
	} catch (error) {
		if (error instanceof Refusal) return errorResponse(error);
		throw error;
	}
}

/** @throws what the gateway rejects before the service sees it */
function passGateway(service: Service, { url, path, headers }: SimRequest): void {
	if (url.length > MAX_URL_LENGTH) throw new Refusal(414, 'The URL is too long');
	const key = headers['ocp-apim-subscription-key'];
	if (key !== service.subscriptionKey) {
		const what = key === undefined ? 'missing' : 'invalid';
		throw new Refusal(401, `Access denied due to ${what} subscription key.`);
	}
	if (path === service.tokenPath) return;
	const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
	if (token === undefined) throw new Refusal(401, 'Unauthorized. Access token is missing.');
	const state = service.tokens.state(token);
	if (state === 'valid') return;
	const what = state === 'expired' ? state : 'invalid';
	throw new Refusal(401, `Unauthorized. Access token is ${what}.`);
}

function callRoute(service: Service, request: SimRequest): unknown {
	const { route, params } = findRoute(request);
	const { model } = service;
	checkQuery(request, route.query);
	if (params.clientId !== undefined && params.clientId !== service.clientId) {
		throw new Refusal(403, 'The token does not belong to this client');
	}
	const engagement = () => {
		const id = readInteger(params.engagementId ?? '', 'engagementId');
		const found = model.engagements.get(id);
		if (!found) throw new Refusal(404, `Engagement ${id} not found`);
		return found;
	};
	const connector = () => {
		const found = model.findConnector(params.connectorName ?? '');
		if (!found) throw new Refusal(404, `Connector ${params.connectorName} not found`);
		return found;
	};
	const body = readBody(request);
	const call: Call = { service, params, query: request.query, body, engagement, connector };
	return route.respond(call);
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return refuse('The path is not properly encoded');
	}
}

const PATTERNS = ROUTES.map((route) => ({ route, pattern: toPattern(route.path) }));

/** The route of a request, and the parameters in its path. */
function findRoute({ method, path }: SimRequest) {
	const found = PATTERNS.find(
		({ route, pattern }) => route.method === method && pattern.test(path),
	);
	if (found === undefined) throw new Refusal(404, 'Resource not found');
	const given = Object.entries(found.pattern.exec(path)?.groups ?? {});
	const params = Object.fromEntries(given.map(([name, text]) => [name, decode(text)]));
	return { route: found.route, params };
}
