/** How the service of a history answers, besides what it was asked for. */
import type { Fault } from '../../support/service/faults.mts';
import type { SimRequest, SimResponse } from '../../support/service/request.mts';
import type { FaultKind } from './history.mts';

const DAY = 24 * 3_600_000;

/** Each fails its request at once, without a retry. */
export const FAULTS: Record<FaultKind, Fault> = {
	notFound: { kind: 'status', status: 404 },
	page: { kind: 'html' },
	quota: { kind: 'status', status: 429, headers: { 'retry-after': '3600' } },
	unauthorised: { kind: 'status', status: 401 },
	cutOff: { kind: 'raw', body: '{"content":[{"uploadId":"', contentType: 'application/json' },
};

export const UPLOADS = /\/uploads$/;
export const STEPS = /\/workflows\//;

/** What a poll has been sent that it can make use of, whatever fails later. */
export interface Useful {
	/** IDs of the uploads on the first page of the list that it reads oldest first, if it does. */
	uploads: string[];
	/** The path of the first steps that it asked for. */
	firstSteps?: string;
	hasFirstSteps?: true;
}

/** Adds a response to what is of use. */
export function noteUseful(useful: Useful, { path, query }: SimRequest, response: SimResponse) {
	const isSent = response.status === 200 && typeof response.body === 'object';
	if (path === useful.firstSteps && isSent) useful.hasFirstSteps = true;
	if (!UPLOADS.test(path) || query.engagementId !== undefined) return;
	if (query.orderBy === undefined || query.orderBy.startsWith('-')) useful.uploads = [];
	else if (Number(query.page ?? 0) === 0) {
		const ids = JSON.stringify(response.body).matchAll(/"uploadId":"([^"]+)"/g);
		useful.uploads = isSent ? [...ids].map(([, id = '']) => id) : [];
	}
}

/** A rejected order (400) is an answer; web pages and broken JSON are texts. */
export function isFailure({ status, body }: SimResponse): boolean {
	return status > 400 || typeof body === 'string';
}

/** Date filters that exclude their own day. */
export function byDays(request: SimRequest): SimRequest {
	const query = Object.entries(request.query).map(([name, value]) => {
		if (!name.endsWith('DateFrom')) return [name, value];
		const next = new Date(Date.parse(`${value.slice(0, 10)}T00:00:00Z`) + DAY).toISOString();
		return [name, next.slice(0, 19)];
	});
	return { ...request, query: Object.fromEntries(query) as SimRequest['query'] };
}
