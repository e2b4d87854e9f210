import { simRequest } from './request.mts';
import { Service } from './service.mts';

const service = new Service();
const { model, clientId, subscriptionKey } = service;
model.addConnector({ name: 'online' });
model.addConnector({ name: 'stale', isRefreshable: false });
model.addConnector({ name: 'offline', type: '1', scopes: ['Full'] });
model.addEngagement();
const client = `/v1/clients/${clientId}`;
const create = `${client}/engagements`;
const schedule = `${client}/engagements/1/schedule`;
const sme = { name: 'New Ltd' };
const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join(',');

describe('requests that are not allowed', () => {
	const refused: Array<[status: number, method: string, url: string, body?: unknown]> = [
		[404, 'GET', '/v1/engagements/1/periods'],
		[404, 'GET', `/v1/v1/clients/${clientId}/users`],
		[405, 'POST', `${client}/uploads`],
		[405, 'GET', '/v1/engagements/1/connectors/online/refresh'],
		[404, 'GET', '/v1/engagements/99/companyDetails'],
		[400, 'GET', '/v1/engagements/x/companyDetails'],
		[404, 'POST', '/v1/engagements/1/connectors/none/upload'],
		[403, 'GET', '/v1/clients/11111111-2222-4333-8444-555555555555/users'],
		[400, 'GET', '/v1/workflows/engagements/1/uploads/7'],
		[400, 'GET', `${client}/uploads?since=1`],
		[400, 'GET', `${client}/users?page=0`],
		[400, 'GET', `${client}/uploads?page=-1`],
		[400, 'GET', `${client}/uploads?size=0`],
		[400, 'GET', `${client}/uploads?size=`],
		[400, 'GET', `${client}/uploads?size=1&size=2`],
		[400, 'GET', `${client}/uploads?orderBy=rank`],
		[400, 'GET', `${client}/uploads?orderBy=completionDate,`],
		[400, 'GET', `${client}/uploads?engagementId=1,x`],
		[400, 'GET', `${client}/uploads?uploadId=1`],
		[400, 'GET', `${client}/uploads?completedDateFrom=2026-03-01T10:00:00Z`],
		[400, 'GET', `${client}/uploads?createdDateTo=2026-02-30T10:00:00`],
		[400, 'GET', `${client}/lastUploads`],
		[400, 'GET', `${client}/lastUploads?engagementIds=${many(101)}`],
		[400, 'GET', `${client}/engagements?externalEngagementId=${many(51)}`],
		[414, 'GET', `${client}/uploads?engagementId=${many(600)}`],
		[400, 'GET', `${client}/users`, {}],
		[400, 'POST', create],
		[400, 'POST', create, { sme: {} }],
		[400, 'POST', create, { sme: 'New Ltd' }],
		[400, 'POST', create, { sme: { ...sme, colour: 'red' } }],
		[400, 'POST', create, { sme, usePortal: true }],
		[400, 'POST', create, { sme, usePassthrough: 'true' }],
		[400, 'POST', `${create}?usePortal=yes`, { sme }],
		[400, 'POST', `${create}?usePortal=true`, { sme, firstName: 'Ada', lastName: 'Lund' }],
		[400, 'POST', `${create}?usePortal=true`, { sme, firstName: ' ', lastName: 'L', email: 'a@b' }],
		[400, 'POST', schedule],
		[400, 'POST', schedule, { scheduleFrequency: 2, scheduleStartDate: '2026-03-01' }],
		[400, 'POST', schedule, { scheduleFrequency: '6', scheduleStartDate: '2026-03-01' }],
		[400, 'POST', schedule, { scheduleFrequency: '2', scheduleStartDate: '1 March 2026' }],
		[400, 'POST', '/v1/engagements/1/connectors/offline/upload?scopeName=Collateral'],
		[400, 'POST', '/v1/engagements/1/connectors/online/upload', { scopeName: 'Full' }],
		[422, 'POST', '/v1/engagements/1/connectors/offline/refresh'],
		[422, 'POST', '/v1/engagements/1/connectors/stale/refresh'],
		[400, 'POST', '/v1/engagements/1/connectors/online/refresh', { force: true }],
	];

	const cases = refused.map(([status, method, url, body]) => ({ status, method, url, body }));

	it.each(cases)('$status for $method $url $body', ({ status, method, url, body }) => {
		const version = model.version;
		expect(service.ask(method, url, body)).toMatchObject({ status });
		expect(model.version).toBe(version);
	});

	it('names an unknown parameter, and accepts it once the settings allow it', () => {
		const tolerant = new Service({
			settings: { extraQuery: ['since'], extraBody: ['sme.rank', 'x'] },
		});
		const url = `/v1/clients/${clientId}/engagements`;
		expect(service.ask('GET', `${url}?since=1`).body).toEqual({
			statusCode: 400,
			message: 'Unknown query parameter since',
		});
		expect(tolerant.ask('GET', `${url}?since=1`).status).toBe(200);
		expect(tolerant.ask('POST', url, { sme: { ...sme, rank: 1 }, x: [] }).status).toBe(200);
	});

	it('requires JSON to be declared, and to be valid', () => {
		const send = (type: string, body: string) => {
			const authorization = `Bearer ${service.accessToken}`;
			const headers = { authorization, 'ocp-apim-subscription-key': subscriptionKey };
			const request = simRequest('POST', create, { ...headers, 'content-type': type }, body);
			return service.handle(request).response?.status;
		};
		expect(send('text/plain', '{"sme":{"name":"X"}}')).toBe(415);
		expect(send('application/json', '{"sme":')).toBe(400);
		expect(send('application/json; charset=utf-8', '{"sme":{"name":"X"}}')).toBe(200);
	});
});
