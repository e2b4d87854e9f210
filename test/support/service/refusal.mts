import type { SimResponse } from './request.mts';

/** Thrown if a request is not what docs/service.md allows. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly headers: Record<string, string> = {},
	) {
		super(message);
	}
}

/** Rejects with 400. */
export function refuse(message: string): never {
	throw new Refusal(400, message);
}

/** The response of a rejected request (docs/service.md#errors). */
export function errorResponse({ status, message, headers }: Refusal): SimResponse {
	const body = { statusCode: status, message };
	return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}
