/** Whether a failure is about one request, or would meet every other one too. */
import { parseCredential } from '../../../nodes/EngagementUploads/transport/credential/credential.ts';
import { describeFailure } from '../../../nodes/EngagementUploads/transport/failures/describeFailure.ts';
import {
	faultOf,
	isAboutRequest,
	isTemporary,
	ServiceFailure,
	type Fault,
} from '../../../nodes/EngagementUploads/transport/failures/errors.ts';
import type { FailedExchange } from '../../../nodes/EngagementUploads/transport/failures/failureTable.ts';

const credential = parseCredential({
	baseUrl: 'https://api.example.com',
	subscriptionApiKey: 'key-0123456789',
	accessToken: 'token-0123456789',
});

const failureOf = (outcome: FailedExchange) =>
	new ServiceFailure('test', describeFailure(outcome, { credential, timeout: 500 }));

const status = (code: number, retryAfter?: string): FailedExchange => ({
	status: code,
	headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
	text: '',
});

it.each<[Fault, FailedExchange[]]>([
	['request', [400, 403, 404, 410, 422].map((code) => status(code))],
	['service', [408, 500, 503].map((code) => status(code))],
	['service', [status(503, '60')]],
	['response', [status(302), { unreadable: 'it is empty' }]],
	['connection', [status(408, '7200'), status(503, '7200')]],
	['connection', [{ network: 'unsent' }, { network: 'lost' }]],
	['connection', [{ network: 'timeout' }, { network: 'proxy' }]],
	['access', [{ network: 'untrusted' }, { network: 'unsendable' }]],
	['access', [status(401), status(407), status(429), status(403, '60')]],
])('lies in the %s after %j', (fault, outcomes) => {
	for (const outcome of outcomes) {
		const failure = failureOf(outcome);
		expect(faultOf(failure)).toBe(fault);
		expect(isAboutRequest(failure)).toBe(['request', 'service'].includes(fault));
	}
});

it('lies in the connection if the service asks to wait longer than there is time', () => {
	const outcome = status(503, '60');
	const decision = { retry: false, reason: 'tooLong', after: 60_000 } as const;
	const report = describeFailure(outcome, { credential, timeout: 500, decision });
	expect(faultOf(new ServiceFailure('test', report))).toBe('connection');
});

it('lies in the access if it is no failure of a request', () => {
	expect(faultOf(new Error('Something else'))).toBe('access');
	expect(isTemporary(new Error('Something else'))).toBe(false);
});
