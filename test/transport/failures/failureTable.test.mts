/** The table of failures decides what is tried again, what the user reads, and what n8n is told. */
import { readFileSync } from 'node:fs';

import { parseCredential } from '../../../nodes/EngagementUploads/transport/credential/credential.ts';
import { describeFailure } from '../../../nodes/EngagementUploads/transport/failures/describeFailure.ts';
import {
	faultOf,
	ServiceFailure,
} from '../../../nodes/EngagementUploads/transport/failures/errors.ts';
import {
	NETWORK,
	rowOf,
	STATUSES,
	type FailedExchange,
} from '../../../nodes/EngagementUploads/transport/failures/failureTable.ts';
import { decideRetry } from '../../../nodes/EngagementUploads/transport/failures/retry.ts';
import type { NetworkFailure } from '../../../nodes/EngagementUploads/transport/http/exchange.ts';

const from = (first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_, index) => first + index);
const statuses = from(400, 599).map((status) => ({ status, headers: {}, text: '' }));
const unanswered = (Object.keys(NETWORK) as NetworkFailure[]).map((network) => ({ network }));
const quota = { status: 403, headers: { 'retry-after': '1' }, text: '' };

const credential = parseCredential({
	baseUrl: 'https://api.example.com',
	subscriptionApiKey: 'key-0123456789',
	authentication: 'tokenEndpoint',
});

/** What happens after a failure. */
function afterwards(outcome: FailedExchange, repeatable: boolean) {
	const decision = decideRetry({ outcome, repeatable, attempts: 1, now: 0, random: 0 });
	const { isThrottled = false } = decision;
	return { next: decision.retry ? 'retry' : decision.reason, isThrottled };
}

it.each<FailedExchange>([...statuses, quota, ...unanswered, { unreadable: 'it is empty' }])(
	'after %j, everything follows from its row',
	(outcome) => {
		const row = rowOf(outcome, outcome === quota);
		const { isRetried = false, mayHaveActed = false, slowsDown = false, cause } = row;
		const next = isRetried ? 'retry' : 'final';
		expect(afterwards(outcome, true)).toEqual({ next, isThrottled: isRetried && slowsDown });
		expect(afterwards(outcome, false)).toEqual(
			mayHaveActed
				? { next: 'unknownOutcome', isThrottled: true }
				: { next, isThrottled: isRetried && slowsDown },
		);
		const report = describeFailure(outcome, { credential, timeout: 500 });
		expect(report.problem).not.toMatch(/[{}]|undefined|^$/);
		expect(report.advice).toMatch(/^[A-Z][^.]*$/);
		expect(report.failure?.cause).toBe(cause);
		const failure = new ServiceFailure('test', report);
		const { status = 0 } = report;
		expect(faultOf(failure) === 'request').toBe(cause === undefined);
		expect(faultOf(failure) === 'service').toBe(status === 408 || status >= 500);
	},
);

it('which statuses are tried again, slow down, or say who is at fault: if intended, change it here', () => {
	const having = (field: 'isRetried' | 'mayHaveActed' | 'slowsDown' | 'cause') =>
		statuses
			.map(({ status }) => status)
			.filter((status) => {
				return rowOf({ status, headers: {}, text: '' }, false)[field] !== undefined;
			});
	expect(having('isRetried')).toEqual([408, 429, ...from(500, 599)]);
	expect(having('mayHaveActed')).toEqual([408, ...from(500, 599)]);
	expect(having('slowsDown')).toEqual([429, 503]);
	expect(having('cause')).toEqual([401, 407, 408, 429, ...from(500, 599)]);
});

it('no two statuses with a row of their own read alike, except for failures of the service', () => {
	const problems = Object.values(STATUSES).map(({ problem }) => problem);
	const own = problems.filter((problem) => !problem.includes('failed'));
	expect(new Set(own).size).toBe(own.length);
});

/** How the fault matrix names the failures of the network; undefined for those that it cannot cause. */
const NETWORK_IN_MATRIX: Record<NetworkFailure, string | undefined> = {
	unsent: 'No connection',
	lost: 'The connection is lost',
	timeout: 'No complete response within the timeout',
	untrusted: 'No secure connection',
	// Tested in test/transport: it needs a proxy.
	proxy: undefined,
	// Likewise: the HTTP client of newer n8n versions leaves invalid characters out.
	unsendable: undefined,
};

it('every operation is tested with whatever is tried again', () => {
	const [, table = ''] = readFileSync('docs/failures.md', 'utf8').split(/<!-- failures:\w+ -->/);
	const retried = Object.entries(STATUSES).filter(
		([code, row]) => Number(code) < 500 && row.isRetried,
	);
	const names = [...retried.map(([code]) => code), ...Object.values(NETWORK_IN_MATRIX)];
	const missing = names.filter(
		(name) => name !== undefined && !new RegExp(`^\\| [^|]*\\b${name}\\b`, 'm').test(table),
	);
	if (missing.length > 0)
		throw new Error(`Add ${missing.join()} to test/hardening/faults.mts. Run: npm run failures`);
});
