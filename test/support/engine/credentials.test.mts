import { CredentialStore } from './credentials.mts';
import { Thing, ThingApi, ThingService } from './fixtures.mts';
import { searchList, testCredential } from './lookups.mts';
import { runNode } from './run.mts';
import { typesOf } from './types.mts';

const types = typesOf({ nodes: { thing: Thing }, credentials: { thingApi: ThingApi } });
const service = new ThingService();
let baseUrl: string;
let credentials: CredentialStore;

beforeAll(async () => {
	baseUrl = await service.start();
});

afterAll(async () => await service.stop());

beforeEach(() => {
	service.reset();
	credentials = new CredentialStore({ thingApi: { baseUrl, pasted: 'not shown' } });
});

describe('a fetched token', () => {
	const run = async () => await runNode({ types, node: 'thing', credentials });

	it('is stored with what the user entered, and reused', async () => {
		await run();
		expect(credentials.stored('thingApi')).toEqual({
			baseUrl,
			pasted: 'not shown',
			sessionToken: 'first',
		});
		await run();
		expect(service.tokensGiven).toBe(1);
	});

	it('is renewed after a 401', async () => {
		await run();
		service.token = 'second';
		const { items, error } = await run();
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(credentials.stored('thingApi').sessionToken).toBe('second');
	});

	it('is not renewed if the request fails with another status', async () => {
		await run();
		const { error } = await runNode({
			types,
			node: 'thing',
			credentials,
			parameters: { id: 'missing' },
		});
		expect(error).toMatchObject({ httpCode: '404' });
		expect(service.tokensGiven).toBe(1);
	});
});

it('fails a node without its credential, as n8n does', async () => {
	const run = runNode({ types, node: 'thing' });
	await expect(run).resolves.toMatchObject({
		error: { message: 'Node does not have any credentials set' },
	});
});

describe('testCredential', () => {
	it('runs the function that a node names, with what it needs to send requests', async () => {
		const result = await testCredential('thingApi', { baseUrl }, types);
		expect(result).toEqual({ status: 'OK', message: 'Tested' });
		service.refuseTokens = true;
		const refused = await testCredential('thingApi', { baseUrl }, types);
		expect(refused).toMatchObject({ status: 'Error' });
	});
});

describe('searchList', () => {
	const search = {
		types,
		node: 'thing',
		method: 'things',
		parameters: { id: 'current' },
	};

	it('passes on filter, page and the current parameters', async () => {
		const list = await searchList({
			...search,
			credentials,
			filter: 'some',
			paginationToken: '2',
		});
		expect(list).toEqual({
			results: [{ name: '/things/some', value: 'current' }],
			paginationToken: '2+',
		});
	});

	it('throws what the method throws', async () => {
		const list = searchList({ ...search, credentials, filter: 'missing' });
		await expect(list).rejects.toMatchObject({ httpCode: '404' });
	});

	it('names a missing method', async () => {
		const list = searchList({ ...search, credentials, method: 'nothing' });
		await expect(list).rejects.toThrow('no list search "nothing"');
	});
});
