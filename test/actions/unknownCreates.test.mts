/** Creates with an unknown outcome are looked up by external ID; what Return Existing reports. */

import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../support/service/faults.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { errorText, jsonOf, linesOf, run, setupOf } from '../support/runs.mts';
import { runNode } from '../support/engine/run.mts';
import { NOW, smallWorld } from '../support/smallWorld.mts';
import { hintsOf, postsOf } from './writing.mts';

let service: SimulatedService;

beforeEach(async () => {
	({ service } = await smallWorld());
});

afterEach(async () => await service.close());

const create = (additionalFields: IDataObject, options: IDataObject = {}): IDataObject => ({
	resource: 'engagement',
	operation: 'create',
	name: 'New',
	additionalFields,
	options,
});
const external = (externalEngagementId: string) => ({ externalEngagementId });
const one = [{}];

/** Makes the nth write fail after the service has acted. */
const lose = (nth = 1, times = 1) =>
	service.fail(
		{ method: 'POST' },
		{ kind: 'status', status: 504, afterProcessing: true },
		{ skip: nth - 1, times },
	);

it.each<[string, Fault]>([
	['lost connection', { kind: 'reset', afterProcessing: true }],
	['502', { kind: 'status', status: 502, afterProcessing: true }],
	['501', { kind: 'status', status: 501, afterProcessing: true }],
	['524', { kind: 'status', status: 524, afterProcessing: true }],
	['408', { kind: 'status', status: 408, afterProcessing: true }],
	[
		'web page',
		{ kind: 'raw', body: '<p>Bye</p>', contentType: 'text/html', afterProcessing: true },
	],
	['cut response', { kind: 'truncated', how: 'json' }],
	['empty response', { kind: 'raw', body: '', contentType: 'text/plain', afterProcessing: true }],
])('returns the engagement that was found: %s', async (_what, fault) => {
	service.fail({ method: 'POST' }, fault);
	const { items, error } = await run(service, create(external('X-1')), one);
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject([{ engagementId: 1004, externalEngagementId: 'X-1' }]);
	expect(service.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

it('is found by an external ID of Custom Body', async () => {
	lose();
	const options = { customBody: external('X-2') };
	const { items } = await run(service, create({}, options), one);
	expect(jsonOf(items)).toMatchObject([{ engagementId: 1004 }]);
	expect(linesOf(service)[1]).toContain('externalEngagementId=X-2');
});

it('is the engagement that was found, however old', async () => {
	service.model.addEngagement({ externalEngagementId: 'X', createdAt: NOW - 48 * 3_600_000 });
	service.fail({ method: 'POST' }, { kind: 'reset' });
	const { items } = await run(service, create(external('X')), one);
	expect(jsonOf(items)).toMatchObject([{ engagementId: 1004 }]);
});

it('does not mistake another engagement of this run for it', async () => {
	lose(2);
	service.fail({ method: 'POST' }, { kind: 'reset' }, { skip: 1 });
	const { items } = await run(service, create(external('X')), [{}, {}, {}], {
		onError: 'continueRegularOutput',
	});
	expect(jsonOf(items)).toEqual([
		expect.objectContaining({ engagementId: 1004 }),
		expect.objectContaining({ engagementId: 1005 }),
		{ error: expect.stringMatching(/outcome is unknown.*All engagements with.*already existed/) },
	]);
});

it('is reported if nothing is found or the lookup fails', async () => {
	const lost: Fault = { kind: 'reset' };
	service.fail({ method: 'POST' }, lost, { times: 2 });
	const notFound = await run(service, create(external('X')), one);
	expect(errorText(notFound)).toMatch(
		/outcome is unknown.*No engagement with the External Engagement ID “X” was found afterwards/,
	);
	service.fail({ method: 'GET' }, { kind: 'status', status: 403 });
	const denied = await run(service, create(external('X')), one);
	expect(errorText(denied)).toMatch(/outcome is unknown.*could not be looked up either.*\(403\)/);
});

it('is looked up again, not resent, under Retry On Fail', async () => {
	lose();
	service.fail({ method: 'GET' }, { kind: 'status', status: 403 });
	const { items, error } = await run(service, create(external('X')), one, { maxTries: 2 });
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject([{ engagementId: 1004 }]);
	expect(postsOf(service)).toHaveLength(1);
});

it('is not looked up without an external ID', async () => {
	lose();
	const result = await run(service, create({}), one);
	expect(errorText(result)).toContain('outcome is unknown');
	expect(linesOf(service)).toHaveLength(1);
});

describe('Return Existing', () => {
	const perItem = create({ externalEngagementId: '={{ $json.id }}', returnExisting: true });
	const run = async (...ids: string[]) =>
		await runNode({
			...setupOf(
				service,
				perItem,
				ids.map((id) => ({ id })),
			),
		});
	const idsOf = ({ items }: Awaited<ReturnType<typeof run>>) =>
		items.map(({ json }) => json.engagementId);

	it('says how many engagements it found instead of creating', async () => {
		const result = await run('CRM-1', 'new', 'CRM-3', 'CRM-1', 'new');
		expect(idsOf(result)).toEqual([1001, 1004, 1003, 1001, 1004]);
		expect(hintsOf(result)).toEqual([expect.stringContaining('found 2 engagements')]);
		expect(hintsOf(await run('other'))).toEqual([]);
	});

	it('reports two engagements with the same external ID', async () => {
		service.model.addEngagement({ id: 1009, externalEngagementId: 'CRM-1' });
		const result = await run('CRM-1');
		expect(idsOf(result)).toEqual([1001]);
		expect(hintsOf(result)).toContainEqual(expect.stringMatching(/“CRM-1” \(1001, 1009\)/));
	});

	it('ignores case if the service does', async () => {
		const path = new RegExp('/engagements$');
		const body = service.ask('GET', `/v1/clients/${service.clientId}/engagements`).body;
		service.fail({ method: 'GET', path }, { kind: 'status', status: 200, body });
		expect(idsOf(await run('crm-2'))).toEqual([1002]);
	});

	it('distinguishes external IDs by case if the service does', async () => {
		const result = await run('CRM-2', 'crm-2', 'CRM-2');
		expect(idsOf(result)).toEqual([1002, 1004, 1002]);
	});

	it('works with an external ID of Custom Body', async () => {
		const fields = create({ returnExisting: true }, { customBody: external('CRM-2') });
		expect(idsOf(await runNode(setupOf(service, fields, one)))).toEqual([1002]);
	});

	it('stays the same when the node runs again', async () => {
		service.fail({ method: 'POST' }, { kind: 'status', status: 422 });
		const setup = setupOf(
			service,
			perItem,
			['CRM-1', 'new'].map((id) => ({ id })),
		);
		const result = await runNode({ ...setup, maxTries: 2 });
		expect(idsOf(result)).toEqual([1001, 1004]);
		expect(hintsOf(result)).toEqual([expect.stringContaining('found 1 engagement')]);
	});
});
