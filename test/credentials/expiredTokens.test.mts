/** A service that answers an expired token with anything but a 401: n8n alone would never replace it. */
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { errorText, readOutput, run, service } from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { makeEndpointCredential } from '../support/world/credentials.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';
import { sendFromHttpRequest } from './httpRequestNode.mts';

useVirtualTime();

const MINUTE = 60_000;
const company = { resource: 'company', operation: 'get', engagementId: 1001 };

useSmallWorld(beforeEach);

/** What the service says instead of a 401. */
interface Instead {
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
}

function answerExpired(instead: Instead): void {
	const { handle } = service;
	service.handle = (request) => {
		const outcome = handle.call(service, request);
		const isExpired = outcome.response?.status === 401;
		return isExpired ? { response: { headers: {}, body: '', ...instead } } : outcome;
	};
}

const paths = () => service.requests.map(({ path, status }) => `${path} ${status}`);
const tokenRequests = () => service.requests.filter(({ path }) => path.endsWith('/token'));

const insteads: Instead[] = [
	{ status: 403, body: 'Forbidden' },
	{ status: 400, body: { message: 'Token expired' } },
	{ status: 419 },
	{ status: 500 },
	{ status: 302, headers: { location: 'https://login.example.com/?return=1' } },
	{ status: 200, body: { error: 'token expired' } },
];

it.each(insteads)(
	'a fetched token is replaced before the service can answer %j',
	async (instead) => {
		answerExpired(instead);
		const credential = new CredentialStore(makeEndpointCredential(service));
		await readOutput(service, company, [{}], { credential });
		await systemClock.sleep(30 * MINUTE);
		await readOutput(service, company, [{}], { credential });
		const path = '/v1/engagements/1001/companyDetails';
		expect(paths()).toEqual(['/v1/oauth/token 200', `${path} 200`]);
		await systemClock.sleep(30 * MINUTE);
		service.clearRequests();
		const { items } = await sendFromHttpRequest(credential, `${service.url}${path}`);
		expect(items[0]?.json).toEqual({ status: 200 });
		expect(paths()).toEqual(['/v1/oauth/token 200', `${path} 200`]);
	},
);

it('a real 403 costs one token', async () => {
	const credential = new CredentialStore(makeEndpointCredential(service));
	service.fail({ path: /company/ }, { kind: 'status', status: 403 }, { times: Infinity });
	for (let turn = 0; turn < 20; turn++) {
		expect(errorText(await run(service, company, [{}], { credential }))).toMatch(/permissions/);
		expect(tokenRequests()).toHaveLength(turn === 0 ? 1 : 0);
		await systemClock.sleep(MINUTE);
	}
});
