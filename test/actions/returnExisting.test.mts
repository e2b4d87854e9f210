/** Engagement > Create with an external ID: an engagement that has it is returned instead of a second one. */

import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { NodeResult } from '../support/engine/nodeRun.mts';
import {
	errorText,
	run,
	service,
	start,
	toJson,
	until,
	type RunOptions,
} from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { makeCredential } from '../support/world/credentials.mts';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { useSmallWorld } from '../support/world/smallWorld.mts';
import { create as createNamed, listPosts } from './creates.mts';

useSmallWorld(beforeEach);

const create = (additionalFields: IDataObject) => createNamed(additionalFields, 'New');

describe('a create whose outcome is unknown', () => {
	const perItem = create({ externalEngagementId: '={{ $json.id }}' });
	const onError = 'continueRegularOutput' as const;
	const unknown = { error: expect.stringContaining('outcome is unknown') };

	it.each([1, 3])(
		'keeps others with its external ID from being sent, in %d tries',
		async (maxTries) => {
			service.fail({ method: 'POST' }, { kind: 'status', status: 504 });
			const both = [{ id: 'X-1' }, { id: 'X-1' }];
			const { items } = await run(service, perItem, both, { onError, maxTries });
			expect(toJson(items)).toEqual([unknown, unknown]);
			expect(listPosts(service)).toHaveLength(1);
		},
	);

	it('is found by a later run', async () => {
		service.fail({ method: 'POST' }, { kind: 'status', status: 504, afterProcessing: true });
		await run(service, perItem, [{ id: 'X' }], { onError });
		const { items } = await run(service, perItem, [{ id: 'X' }], { onError });
		expect(toJson(items)).toMatchObject([{ engagementId: 1004, created: false }]);
	});
});

describe('an external ID', () => {
	const perItem = create({ externalEngagementId: '={{ $json.id }}' });
	const provide = async (ids: string[], options: RunOptions = {}) =>
		await run(
			service,
			perItem,
			ids.map((id) => ({ id })),
			options,
		);
	const listIds = ({ items }: NodeResult) => items.map(({ json }) => json.engagementId);

	it('returns what was found or created earlier in the run, and says which item created it', async () => {
		const result = await provide(['CRM-1', 'new', 'CRM-3', 'CRM-1', 'new']);
		expect(listIds(result)).toEqual([1001, 1004, 1003, 1001, 1004]);
		const created = toJson(result.items).map((json) => json.created);
		expect(created).toEqual([false, true, false, false, false]);
		expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
	});

	it('says with selected fields, too, whether it has created one, and leaves raw as it was sent', async () => {
		const outputIn = async (output: string, id: string) => {
			const given = { ...perItem, output, fields: ['name'] };
			const { items } = await run(service, given, [{ id }, { id }]);
			return toJson(items);
		};
		const same = { engagementId: 1004, name: 'New' };
		expect(await outputIn('selectedFields', 'new')).toEqual([
			{ ...same, created: true },
			{ ...same, created: false },
		]);
		for (const record of await outputIn('raw', 'other'))
			expect(record).not.toHaveProperty('created');
	});

	it('fails where several engagements have the external ID', async () => {
		service.model.updateEngagement(1002, { externalEngagementId: 'CRM-1' });
		expect(errorText(await provide(['CRM-1']))).toMatch(
			/^2 engagements have the External Engagement ID “CRM-1”: 1001, 1002/,
		);
	});
});

describe('while the service does not list a new engagement, a create', () => {
	useVirtualTime();
	beforeEach(() => {
		const body = { content: [], last: true };
		service.fail({ method: 'GET' }, { kind: 'status', status: 200, body }, { times: Infinity });
	});

	const returning = create({ externalEngagementId: ' X' });
	const listCreated = ({ items }: NodeResult) => toJson(items).map((json) => json.created);

	it('returns what another execution has created in the last five minutes', async () => {
		await run(service, returning);
		const again = await run(service, returning);
		expect(toJson(again.items)).toMatchObject([{ engagementId: 1004, created: false }]);
		await systemClock.sleep(5 * 60_000 + 1);
		const late = await run(service, returning);
		expect(toJson(late.items)).toMatchObject([{ engagementId: 1005, created: true }]);
	});

	it('creates one if two executions run at the same moment', async () => {
		service.settings.latencyMs = 50;
		const results = await Promise.all([run(service, returning), run(service, returning)]);
		expect(results.flatMap(listCreated).sort()).toEqual([false, true]);
		expect(listPosts(service)).toHaveLength(1);
	});

	it('does not return that of another account, nor one with another ID', async () => {
		await run(service, returning);
		const another = create({ externalEngagementId: 'X-1' });
		expect(listCreated(await run(service, another))).toEqual([true]);
		const body = { Id: '7', name: 'New' };
		service.fail({ method: 'POST' }, { kind: 'status', status: 200, body });
		const credential = makeCredential(service, { clientId: randomUUID() });
		expect(listCreated(await run(service, returning, [{}], { credential }))).toEqual([true]);
	});

	it('shares what comes of one that is under way', async () => {
		service.settings.latencyMs = 1000;
		service.fail({ method: 'POST' }, { kind: 'status', status: 400 });
		const first = start(service, returning);
		await until(() => listPosts(service).length > 0, 'a create');
		service.settings.latencyMs = 0;
		expect(errorText(await run(service, returning))).toContain('(400)');
		await first.done;
		expect(listCreated(await run(service, returning))).toEqual([true]);
	});
});
