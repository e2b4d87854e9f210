import { credentialOf } from '../support/credentials.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { itemsFrom, jsonOf, run, useService } from '../support/runs.mts';

const COUNT = 200;
const BAD = 117;

let service: SimulatedService;

useService(beforeAll, async () => (service = await startService()));
beforeAll(() => {
	for (const { id } of itemsFrom(1, COUNT)) {
		if (id !== BAD) service.model.addEngagement({ id, name: `Company ${id}` });
	}
});

beforeEach(() => {
	service.clearFaults();
	service.settings.latencyMs = 0;
});

const company = { resource: 'company', operation: 'get', engagementId: '={{ $json.id }}' };
const items = itemsFrom(1, COUNT);

it('continues with all other results and one error, each linked to its item', async () => {
	const { items: results, error } = await run(service, company, items, {
		onError: 'continueRegularOutput',
	});
	expect(error).toBeUndefined();
	expect(results.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
	expect(jsonOf(results).map(({ engagementId, error: text }) => text ?? engagementId)).toEqual(
		items.map(({ id }) => {
			const failed =
				/^Could not get the company details of engagement 117: .*\(404\).*“Engagement 117 not found”/;
			return id === BAD ? expect.stringMatching(failed) : id;
		}),
	);
	expect(service.requests).toHaveLength(COUNT);
});

it('sends the failed item to the error output', async () => {
	const { items: results, errorItems } = await run(service, company, items, {
		onError: 'continueErrorOutput',
	});
	expect(jsonOf(results).map(({ engagementId }) => engagementId)).toEqual(
		items.filter(({ id }) => id !== BAD).map(({ id }) => id),
	);
	expect(errorItems).toEqual([
		expect.objectContaining({
			json: { id: BAD, error: expect.stringContaining('(404)') },
			pairedItem: expect.objectContaining({ item: BAD - 1 }),
		}),
	]);
});

it('sends nothing more if the service accepts no requests for a long time', async () => {
	const headers = { 'retry-after': '600' };
	service.fail({}, { kind: 'status', status: 429, headers }, { times: Infinity });
	const { items } = await run(
		service,
		{ ...company, options: { parallelRequests: 1 } },
		itemsFrom(1, 20),
		{ onError: 'continueRegularOutput' },
	);
	expect(items).toHaveLength(20);
	const texts = new Set(
		jsonOf(items).map(({ error }) => String(error).replace(/(engagement|item) \d+/g, '')),
	);
	expect([...texts]).toEqual([expect.stringMatching(/accepts no requests until \d{4}-/)]);
	expect(service.requests).toHaveLength(1);
});

it('stops at the first failure by default', async () => {
	const { items: results, error } = await run(service, company, items.slice(BAD - 10));
	expect(results).toEqual([]);
	expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '404' });
	expect(error?.message).toContain('[item 9]');
	expect(service.requests.length).toBeLessThan(COUNT);
});

it('gives every item the error of a credential that cannot be used', async () => {
	const credential = credentialOf(service, { accessToken: '' });
	const { items: results } = await run(service, company, items.slice(0, 3), {
		onError: 'continueRegularOutput',
		credential,
	});
	expect(results).toEqual(
		[0, 1, 2].map((item) => ({
			json: { error: expect.stringContaining('Access Token') },
			pairedItem: { item },
		})),
	);
	expect(service.requests).toEqual([]);
});
