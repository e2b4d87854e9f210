/** The table of failures decides what is tried again, what the user reads, and what n8n is told. */
import { parseCredential } from '../../../nodes/EngagementUploads/transport/credential.ts';
import { describeFailure } from '../../../nodes/EngagementUploads/transport/messages.ts';
import {
	faultOf,
	isAboutRequest,
	isTemporary,
	ServiceFailure,
} from '../../../nodes/EngagementUploads/transport/errors.ts';
import {
	NETWORK,
	rowOf,
	STATUSES,
	type FailedExchange,
	type Fault,
} from '../../../nodes/EngagementUploads/transport/failures.ts';
import { decideRetry, type GivenUp } from '../../../nodes/EngagementUploads/transport/retry.ts';
import type { NetworkFailure } from '../../../nodes/EngagementUploads/transport/exchange.ts';

const from = (first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_, index) => first + index);
const answered = (status: number, retryAfter?: string): FailedExchange => {
	return {
		status,
		headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
		text: '',
	};
};
const statuses = from(400, 599);
const unanswered = (Object.keys(NETWORK) as NetworkFailure[]).map((network) => ({ network }));
const quota = answered(403, '1');

const credential = parseCredential({
	baseUrl: 'https://api.example.com',
	subscriptionApiKey: 'key-0123456789',
	authentication: 'tokenEndpoint',
});

const reportOf = (outcome: FailedExchange, decision?: GivenUp) =>
	describeFailure(outcome, { credential, ...(decision && { decision }) });
const failureOf = (outcome: FailedExchange, decision?: GivenUp) =>
	new ServiceFailure('test', reportOf(outcome, decision));

/** What happens after a failure. */
function afterwards(outcome: FailedExchange, repeatable: boolean) {
	const decision = decideRetry({ outcome, repeatable, attempts: 1, now: 0, random: 0 });
	const { isThrottled = false } = decision;
	return { next: decision.retry ? 'retry' : decision.reason, isThrottled };
}

it.each<FailedExchange>([
	...statuses.map((status) => answered(status)),
	...[quota, ...unanswered, { unreadable: 'it is empty' }],
])('after %j, everything follows from its row', (outcome) => {
	const row = rowOf(outcome, outcome === quota);
	const { isRetried = false, mayHaveActed = false, slowsDown = false, cause } = row;
	const next = isRetried ? 'retry' : 'final';
	expect(afterwards(outcome, true)).toEqual({ next, isThrottled: isRetried && slowsDown });
	expect(afterwards(outcome, false)).toEqual(
		mayHaveActed
			? { next: 'unknownOutcome', isThrottled: true }
			: { next, isThrottled: isRetried && slowsDown },
	);
	const report = reportOf(outcome);
	expect(report.problem).not.toMatch(/[{}]|undefined|^$/);
	expect(report.advice).toMatch(/^[A-Z][^.]*$/);
	expect(report.failure?.cause).toBe(cause);
	const { status = 0 } = report;
	const fault = faultOf(failureOf(outcome));
	expect(fault === 'request').toBe(cause === undefined);
	expect(fault === 'service').toBe(status === 408 || status >= 500);
	expect(isAboutRequest(failureOf(outcome))).toBe(['request', 'service'].includes(fault));
});

it('which statuses are tried again, slow down, or say who is at fault: if intended, change it here', () => {
	const having = (field: 'isRetried' | 'mayHaveActed' | 'slowsDown' | 'cause') =>
		statuses.filter((status) => rowOf(answered(status), false)[field] !== undefined);
	expect(having('isRetried')).toEqual([408, 429, ...from(500, 599)]);
	expect(having('mayHaveActed')).toEqual([408, ...from(500, 599)]);
	expect(having('slowsDown')).toEqual([429, 503]);
	expect(having('cause')).toEqual([401, 407, 408, 429, ...from(500, 599)]);
});

it.each<[Fault, FailedExchange[]]>([
	['response', [answered(302), { unreadable: 'it is empty' }]],
	['connection', [answered(408, '7200'), answered(503, '7200')]],
	['connection', [{ network: 'unsent' }, { network: 'timeout' }, { network: 'proxy' }]],
	['access', [answered(401), answered(407), answered(429), answered(403, '60')]],
	['access', [{ network: 'untrusted' }, { network: 'unsendable' }]],
])(
	'if it is neither in the request nor in the service, the fault lies in the %s: %j',
	(fault, outcomes) => {
		for (const outcome of outcomes) expect(faultOf(failureOf(outcome))).toBe(fault);
	},
);

it('the fault never lies in the response or the request if there is no token', () => {
	const faultWithout = (withoutToken: FailedExchange) =>
		describeFailure({ withoutToken }, { credential }).fault;
	for (const outcome of [answered(302), answered(400), answered(407)])
		expect(faultWithout(outcome)).toBe('access');
	for (const outcome of [answered(503), { unreadable: 'it is empty' }])
		expect(faultWithout(outcome)).toBe('connection');
});

it('the fault lies in the connection if the service asks to wait longer than there is time', () => {
	const decision = { retry: false, reason: 'tooLong', after: 60_000 } as const;
	expect(faultOf(failureOf(answered(503, '60'), decision))).toBe('connection');
});

it('the fault lies in the access if it is no failure of a request', () => {
	expect(faultOf(new Error('Something else'))).toBe('access');
	expect(isTemporary(new Error('Something else'))).toBe(false);
});

it('no two statuses with a row of their own read alike, except for failures of the service', () => {
	const problems = Object.values(STATUSES).map(({ problem }) => problem);
	const own = problems.filter((problem) => !problem.includes('failed'));
	expect(new Set(own).size).toBe(own.length);
});
