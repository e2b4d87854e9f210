import type { SimResponse } from './request.mts';
import type { ErrorForm } from './settings.mts';

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

/** An error in one of the forms that the service may use (docs/service.md#errors). */
export function errorResponse(
	{ status, message, headers }: Pick<Refusal, 'status' | 'message' | 'headers'>,
	form: ErrorForm,
): SimResponse {
	const [body, type] = errorBody(status, message, form);
	return { status, headers: { 'content-type': type, ...headers }, body };
}

function errorBody(status: number, message: string, form: ErrorForm): [unknown, string] {
	switch (form) {
		case 'gateway':
			return [{ statusCode: status, message }, 'application/json'];
		case 'problem':
			return [{ title: 'Request refused', status, detail: message }, 'application/problem+json'];
		case 'text':
			return [message, 'text/plain; charset=utf-8'];
	}
}
