import { useVirtualTime } from '../../support/virtualTime.mts';
import type { SimulatedService } from '../../support/service/http.mts';
import { CREDENTIAL } from '../../support/credentials.mts';
import { afterRequest, jsonOf, run } from '../../support/runs.mts';
import { smallWorld } from '../../support/smallWorld.mts';
import { company, many, otherRequests, storeOf, TOKEN_PATH, tokenRequests } from './tokens.mts';

// Most of the time is spent between attempts.
useVirtualTime();

let service: SimulatedService;

beforeEach(async () => {
	({ service } = await smallWorld());
});

afterEach(async () => await service.close());

const users = { resource: 'user', operation: 'getAll' };
const refresh = {
	resource: 'dataRefresh',
	operation: 'run',
	engagementId: 1001,
	connectorName: 'cloudbooks',
};

it('fetches a token and the client ID once, and keeps them', async () => {
	const credential = storeOf(service);
	const first = await run(service, users, [{}], { credential });
	expect(first.error).toBeUndefined();
	expect(service.requests.map(({ path }) => path)).toEqual([
		TOKEN_PATH,
		`/v1/clients/${service.clientId}/users`,
	]);
	expect(credential.stored(CREDENTIAL)).toMatchObject({
		sessionToken: expect.stringMatching(/^eyJ/),
		sessionClientId: service.clientId,
		clientId: '',
	});

	await run(service, users, [{}], { credential });
	expect(tokenRequests(service)).toEqual([]);
});

it.each([
	['a GET', company],
	['a POST', refresh],
])('replaces an expired token, and repeats %s once', async (_what, parameters) => {
	const credential = storeOf(service);
	await run(service, parameters, [{}], { credential });
	service.expireTokens();
	const { error, items } = await run(service, parameters, [{}], { credential });
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(service.requests.map(({ status }) => status)).toEqual([401, 200, 200]);
});

it('shares one fetch among 20 parallel runs with the same expired token', async () => {
	const credential = storeOf(service);
	await run(service, company, [{}], { credential });
	service.expireTokens();
	service.settings.latencyMs = [0, 30];
	const results = await Promise.all(
		many(20).map(async () => await run(service, company, many(4), { credential })),
	);
	expect(results.flatMap(({ items }) => items)).toHaveLength(80);
	expect(tokenRequests(service)).toHaveLength(1);
});

it('fetches a token if n8n has stored none of the newer ones', async () => {
	const credential = storeOf(service);
	await run(service, company, [{}], { credential });
	const old = credential.stored(CREDENTIAL);
	service.expireTokens();
	await run(service, company, [{}], { credential });
	service.expireTokens();
	credential.save(CREDENTIAL, old);
	const now = Date.now();
	const later = jest.spyOn(Date, 'now').mockImplementation(() => now + 10 * 60_000);
	const { error } = await run(service, company, [{}], { credential });
	later.mockRestore();
	expect(error).toBeUndefined();
});

it('loses nothing when the token expires in the middle of a list', async () => {
	const credential = storeOf(service);
	for (let id = 2001; id <= 2300; id += 1) service.model.addEngagement({ id });
	const list = { resource: 'engagement', operation: 'getAll', returnAll: true };
	service.clearRequests();
	afterRequest(service, 3, () => service.expireTokens());
	const { error, items } = await run(service, { ...list, options: { pageSize: 20 } }, [{}], {
		credential,
	});
	expect(error).toBeUndefined();
	const ids = jsonOf(items).map(({ engagementId }) => engagementId);
	expect(ids).toEqual(service.model.engagements.all.map(({ id }) => id));
	expect(tokenRequests(service)).toHaveLength(2);
});

it('loses nothing when the token expires in the middle of a wait', async () => {
	const credential = storeOf(service);
	service.settings.uploadDurationMs = Infinity;
	const given = { ...refresh, waitForCompletion: true, options: { waitInterval: 0.02 } };
	afterRequest(service, 5, () => {
		service.expireTokens();
		const { uploadId } = service.model.uploads.all.at(-1) ?? { uploadId: '' };
		service.model.completeUpload(uploadId);
	});
	const { error, items } = await run(service, given, [{}], { credential });
	expect(error).toBeUndefined();
	expect(jsonOf(items)[0]?.upload).toMatchObject({ uploadStatus: 'COMPLETED' });
	expect(otherRequests(service).filter(({ method }) => method === 'POST')).toHaveLength(1);
	expect(tokenRequests(service)).toHaveLength(2);
});
