/** External IDs in several spellings: what is invisible in them, and case. */
import { onErrorContinue, readOutput, run, service, toJson } from '../support/engine/runs.mts';
import { simRequest } from '../support/service/request.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';
import { create, listPosts } from './creates.mts';

useSmallWorld(beforeEach);

const get = {
	...{ resource: 'engagement', operation: 'get' },
	engagementId: { __rl: true, mode: 'externalId', value: '={{ $json.id }}' },
};

/** The engagements found, or that there is none. */
async function find(...ids: string[]) {
	const items = ids.map((id) => ({ id }));
	const result = await run(service, get, items, onErrorContinue);
	return toJson(result.items).map(({ engagementId, error }) =>
		/No engagement has/.test(String(error)) ? 'none' : (engagementId ?? error),
	);
}

it('an external ID is found and sent with accented letters in one spelling', async () => {
	service.model.addEngagement({ id: 7, externalEngagementId: 'M\u00fcller 1' });
	expect(await find('Mu\u0308ller 1 ')).toEqual([7]);
	await run(service, create({ externalEngagementId: 'ABe\u0301' }), [{ name: 'B' }]);
	expect(service.requests.at(-1)?.body).toMatchObject({ externalEngagementId: 'AB\u00e9' });
});

describe('in a service that ignores case, an external ID', () => {
	/** The service returns all engagements, whatever external ID is asked for. */
	beforeEach(() => {
		const handle = service.handle.bind(service);
		service.handle = (request) => {
			const { method, url, headers } = request;
			const all = url.replace(/externalEngagementId=[^&]*&/, '');
			return handle(request.method === 'GET' ? simRequest(method, all, headers) : request);
		};
	});

	it('is found only as it is, since IDs that differ in case may be those of two customers', async () => {
		expect(await find('crm-1', 'CRM-2', 'CRM-9')).toEqual(['none', 1002, 'none']);
		service.model.addEngagement({ id: 7, externalEngagementId: 'Crm-1' });
		expect(await find('CRM-1', 'Crm-1')).toEqual([1001, 7]);
	});

	it('makes an engagement of its own for each spelling', async () => {
		const external = { externalEngagementId: '={{ $json.id }}' };
		const items = ['crm-1', 'CRM-1', 'new', 'NEW', 'new'].map((id) => ({ id }));
		const records = await readOutput(service, create(external, 'New'), items);
		const ids = records.map(({ engagementId }) => engagementId);
		expect(ids).toEqual([1004, 1001, 1005, 1006, 1005]);
		expect(listPosts(service)).toHaveLength(3);
	});
});
