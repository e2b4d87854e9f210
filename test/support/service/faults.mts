import type { SimResponse, SimRequest } from './request.mts';

/** Which requests a fault is for; omitted fields match everything. */
export interface Match {
	method?: string;
	path?: string | RegExp;
	/** Query parameters that must have this value. */
	query?: Record<string, string | RegExp>;
	/** Text that the body contains. */
	body?: string;
}

/** A fault. `afterProcessing`: the service acts on the request before the fault. */
export type Fault = { afterProcessing?: boolean } & (
	| { kind: 'status'; status: number; headers?: Record<string, string>; body?: unknown }
	| { kind: 'raw'; body: string; contentType: string }
	| { kind: 'redirect'; location: string; status?: number }
	/** 204. */
	| { kind: 'noContent' }
	/** A log-in page with status 200. */
	| { kind: 'html' }
	/** The connection is torn down before the response. */
	| { kind: 'reset' }
	/** No response is ever sent. */
	| { kind: 'hang' }
	/** The correct response, one byte per interval. */
	| { kind: 'drip'; intervalMs: number }
	/** Half of the bytes announced. */
	| { kind: 'truncated' }
	/** Announced as gzip, which it is not. */
	| { kind: 'badGzip' }
);

interface Rule {
	match: Match;
	fault: Fault;
	skip: number;
	times: number;
}

function fits(text: string, pattern: string | RegExp): boolean {
	return typeof pattern === 'string' ? text === pattern : text.search(pattern) >= 0;
}

function applies({ method, path, query = {}, body }: Match, request: SimRequest): boolean {
	if (method !== undefined && method !== request.method) return false;
	if (path !== undefined && !fits(request.path, path)) return false;
	if (body !== undefined && !request.body?.includes(body)) return false;
	return Object.entries(query).every(([name, pattern]) => {
		const value = request.query[name];
		return value !== undefined && fits(value, pattern);
	});
}

/** The planned faults, in the order in which they were added. */
export class Faults {
	private rules: Rule[] = [];

	add(match: Match, fault: Fault, { times = 1, skip = 0 } = {}): void {
		this.rules.push({ match, fault, times, skip });
	}

	clear(): void {
		this.rules = [];
	}

	/** The fault that applies to this request; counts as one use. */
	take(request: SimRequest): Fault | undefined {
		for (const rule of this.rules) {
			if (rule.times <= 0 || !applies(rule.match, request)) continue;
			if (rule.skip > 0) {
				rule.skip -= 1;
				continue;
			}
			rule.times -= 1;
			return rule.fault;
		}
		return undefined;
	}
}

/** A fault that needs a socket. */
export type WireFault = Extract<
	Fault,
	{ kind: 'reset' | 'hang' | 'drip' | 'truncated' | 'badGzip' }
>;

const PAGE_OF_HTML = '<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>';

function toResponse(status: number, headers: Record<string, string>, body?: unknown): SimResponse {
	return { status, headers, body };
}

/**
 * The response that a fault consists of; the fault itself if it concerns how a response is sent.
 */
export function faultResponse(fault: Fault): SimResponse | WireFault {
	switch (fault.kind) {
		case 'status': {
			const { status, body, headers = {} } = fault;
			const message = body ?? { statusCode: status, message: `Simulated ${status}` };
			const type = typeof message === 'string' ? 'text/plain' : 'application/json';
			return toResponse(status, { 'content-type': type, ...headers }, message);
		}
		case 'raw':
			return toResponse(200, { 'content-type': fault.contentType }, fault.body);
		case 'redirect':
			return toResponse(fault.status ?? 302, { location: fault.location });
		case 'noContent':
			return toResponse(204, {});
		case 'html':
			return toResponse(200, { 'content-type': 'text/html; charset=utf-8' }, PAGE_OF_HTML);
		default:
			return fault;
	}
}
