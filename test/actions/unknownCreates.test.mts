/** Creates with an unknown outcome are looked up by external ID; what Return Existing reports. */

import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../support/service/faults.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { credentialOf } from '../support/credentials.mts';
import type { NodeResult } from '../support/engine/run.mts';
import { errorText, jsonOf, linesOf, run, useService, type RunOptions } from '../support/runs.mts';
import { NOW, smallWorld } from '../support/smallWorld.mts';
import { create as createNamed, hintsOf, postsOf } from './writing.mts';

let service: SimulatedService;

useService(beforeEach, async () => ({ service } = await smallWorld()));

const create = (additionalFields: IDataObject, options: IDataObject = {}) =>
	createNamed(additionalFields, options, 'New');
const external = (externalEngagementId: string) => ({ externalEngagementId });
const one = [{}];

/** Makes the nth write fail after the service has acted. */
const lose = (nth = 1, times = 1) =>
	service.fail(
		{ method: 'POST' },
		{ kind: 'status', status: 504, afterProcessing: true },
		{ skip: nth - 1, times },
	);

it('is found by an external ID of Custom Body', async () => {
	lose();
	const options = { customBody: external('X-2') };
	const { items } = await run(service, create({}, options), one);
	expect(jsonOf(items)).toMatchObject([{ engagementId: 1004 }]);
	expect(linesOf(service)[1]).toContain('externalEngagementId=X-2');
});

describe('an engagement that was there before is not taken for it', () => {
	const reset: Fault = { kind: 'reset' };

	it.each([
		['older, with the same name', { name: 'New', createdAt: NOW - 60_000 }],
		['of the same second, with another name', { name: 'Other Ltd' }],
	])('%s', async (_what, given) => {
		service.model.addEngagement({ externalEngagementId: 'X', ...given });
		service.fail({ method: 'POST' }, reset);
		const result = await run(service, create(external('X')), one);
		expect(errorText(result)).toMatch(/outcome is unknown.*already existed/);
		expect(postsOf(service)).toHaveLength(1);
	});

	it('nor is one that was created a moment ago, if there is a newer one', async () => {
		service.model.addEngagement({ externalEngagementId: 'X', name: 'New', createdAt: NOW });
		lose();
		const { items } = await run(service, create(external('X')), one);
		expect(jsonOf(items)).toMatchObject([{ engagementId: 1005 }]);
	});

	it('but the new one is found beside it, by the clock and zone of the service', async () => {
		service.settings.printZone = 'Asia/Tokyo';
		service.model.addEngagement({ externalEngagementId: 'X', createdAt: NOW - 60_000 });
		lose();
		const { items } = await run(service, create(external('X')), one, {
			credential: credentialOf(service, { timeZone: 'Asia/Tokyo' }),
		});
		expect(jsonOf(items)).toMatchObject([{ engagementId: 1005 }]);
	});
});

describe('as long as it is unknown', () => {
	const perItem = create({ externalEngagementId: '={{ $json.id }}' });
	const items = ['X-1', 'x-1', 'Y'].map((id) => ({ id }));
	const denied: Fault = { kind: 'status', status: 403 };

	it('no later item creates with its external ID, in whatever case', async () => {
		lose();
		service.fail({ method: 'GET' }, denied);
		const { items: results } = await run(service, perItem, items, {
			onError: 'continueRegularOutput',
		});
		expect(jsonOf(results)).toEqual([
			{ error: expect.stringMatching(/outcome is unknown.*could not be looked up either/) },
			{
				error: expect.stringMatching(
					/Not created: it is unknown whether an earlier item created .*“X-1”.*item 1/,
				),
			},
			expect.objectContaining({ externalEngagementId: 'Y' }),
		]);
		expect(postsOf(service)).toHaveLength(2);
	});

	it.each([{}, { onError: 'continueRegularOutput' } as const])(
		'and the next attempt continues once it is found: %o',
		async (settings) => {
			service.fail({ method: 'POST' }, { kind: 'reset', afterProcessing: true });
			service.fail({ method: 'GET' }, denied);
			const { items: results } = await run(service, perItem, items, { maxTries: 2, ...settings });
			const ids = jsonOf(results).map(({ externalEngagementId }) => externalEngagementId);
			expect(ids).toEqual(['X-1', 'x-1', 'Y']);
			expect(postsOf(service)).toHaveLength(3);
			expect(new Set(jsonOf(results).map(({ engagementId }) => engagementId)).size).toBe(3);
		},
	);

	it('Return Existing of a later item may find it, and the next attempt still does', async () => {
		lose();
		service.fail({ method: 'GET' }, denied);
		const fields = { externalEngagementId: 'X', returnExisting: '={{ $json.returnExisting }}' };
		const both = [{ returnExisting: false }, { returnExisting: true }];
		const { items: results } = await run(service, create(fields), both, {
			maxTries: 2,
			onError: 'continueRegularOutput',
		});
		expect(jsonOf(results).map(({ engagementId }) => engagementId)).toEqual([1004, 1004]);
		expect(postsOf(service)).toHaveLength(1);
	});
});

it.each([
	{ externalEngagementId: 'X', name: 'New' },
	{ Id: null, name: 'New' },
])('is also a create that is answered without an ID: %j', async (body) => {
	service.fail({ method: 'POST' }, { kind: 'status', status: 201, body });
	const result = await run(service, create(external('X')), one);
	expect(errorText(result)).toMatch(/outcome is unknown.*No engagement with/);
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

describe('Return Existing', () => {
	const perItem = create({ externalEngagementId: '={{ $json.id }}', returnExisting: true });
	const provide = async (ids: string[], options: RunOptions = {}) =>
		await run(
			service,
			perItem,
			ids.map((id) => ({ id })),
			options,
		);
	const idsOf = ({ items }: NodeResult) => items.map(({ json }) => json.engagementId);

	it('says how many engagements it found instead of creating', async () => {
		const result = await provide(['CRM-1', 'new', 'CRM-3', 'CRM-1', 'new']);
		expect(idsOf(result)).toEqual([1001, 1004, 1003, 1001, 1004]);
		expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
		expect(hintsOf(result)).toEqual([expect.stringContaining('found 2 engagements')]);
		expect(hintsOf(await provide(['other']))).toEqual([]);
	});

	it('reports two engagements with the same external ID', async () => {
		service.model.addEngagement({ id: 1009, externalEngagementId: 'CRM-1' });
		const result = await provide(['CRM-1']);
		expect(idsOf(result)).toEqual([1001]);
		expect(hintsOf(result)).toContainEqual(expect.stringMatching(/“CRM-1” \(1001, 1009\)/));
	});

	it('ignores case if the service does', async () => {
		const path = new RegExp('/engagements$');
		const body = service.ask('GET', `/v1/clients/${service.clientId}/engagements`).body;
		service.fail({ method: 'GET', path }, { kind: 'status', status: 200, body });
		expect(idsOf(await provide(['crm-2']))).toEqual([1002]);
	});

	it('distinguishes external IDs by case if the service does', async () => {
		const result = await provide(['CRM-2', 'crm-2', 'CRM-2']);
		expect(idsOf(result)).toEqual([1002, 1004, 1002]);
	});

	it('stays the same when the node runs again', async () => {
		service.fail({ method: 'POST' }, { kind: 'status', status: 422 });
		const result = await provide(['CRM-1', 'new'], { maxTries: 2 });
		expect(idsOf(result)).toEqual([1001, 1004]);
		expect(hintsOf(result)).toEqual([expect.stringContaining('found 1 engagement')]);
	});
});
