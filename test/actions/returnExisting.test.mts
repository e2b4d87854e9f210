/** Engagement > Create: Return Existing, and creates whose outcome is unknown. */

import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { NodeResult } from '../support/engine/nodeRun.mts';
import {
	errorText,
	listHints,
	run,
	service,
	start,
	toJson,
	until,
	type RunOptions,
} from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { makeCredential, makeEndpointCredential } from '../support/world/credentials.mts';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { useSmallWorld } from '../support/world/smallWorld.mts';
import { create as createNamed, listPosts } from './creates.mts';

useSmallWorld(beforeEach);

const create = (additionalFields: IDataObject, options: IDataObject = {}) =>
	createNamed(additionalFields, options, 'New');

describe('a create whose outcome is unknown', () => {
	const perItem = (options: IDataObject) =>
		create({ externalEngagementId: '={{ $json.id }}', returnExisting: true }, options);
	const onError = 'continueRegularOutput' as const;
	const unknown = { error: expect.stringContaining('outcome is unknown') };

	it.each<[string, number, IDataObject]>([
		['', 1, {}],
		[', even if the node runs again', 3, {}],
		[', even if that is in Custom Body', 1, { customBody: { externalEngagementId: ' X-1 ' } }],
	])('keeps later ones with its external ID from being sent%s', async (_, maxTries, options) => {
		service.fail({ method: 'POST' }, { kind: 'status', status: 504 });
		const both = [{ id: 'X-1' }, { id: 'X-1' }];
		const { items } = await run(service, perItem(options), both, { onError, maxTries });
		const notCreated = /Not created: it is unknown whether an earlier item .*“X-1”.*item 1/;
		expect(toJson(items)).toEqual([unknown, { error: expect.stringMatching(notCreated) }]);
		expect(listPosts(service)).toHaveLength(1);
	});

	it('is found by a later item', async () => {
		service.fail({ method: 'POST' }, { kind: 'status', status: 504, afterProcessing: true });
		const both = [{ id: 'X' }, { id: 'X' }];
		const { items } = await run(service, perItem({}), both, { onError, maxTries: 2 });
		expect(toJson(items)).toEqual([unknown, expect.objectContaining({ engagementId: 1004 })]);
		expect(listPosts(service)).toHaveLength(1);
	});
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

	it('says which external ID several engagements have, of which it returned the first', async () => {
		service.model.updateEngagement(1002, { externalEngagementId: 'CRM-1' });
		const result = await provide(['CRM-1']);
		expect(listIds(result)).toEqual([1001]);
		expect(listHints(result)[0]).toContain(
			'More than one engagement has the External Engagement ID “CRM-1”',
		);
	});
});

describe('Return Existing, while the service does not list a new engagement', () => {
	useVirtualTime();
	beforeEach(() => {
		const body = { content: [], last: true };
		service.fail({ method: 'GET' }, { kind: 'status', status: 200, body }, { times: Infinity });
	});

	const plain = create({ externalEngagementId: 'X' });
	const returning = create({ externalEngagementId: ' X', returnExisting: true });
	const listCreated = ({ items }: NodeResult) => toJson(items).map((json) => json.created);
	const notListed = [
		expect.stringMatching(
			/^This engagement was created .* does not list it, yet or no longer: “x”/i,
		),
	];

	it('returns what another execution has created in the last five minutes, and says so', async () => {
		await run(service, plain);
		const inAnotherCase = create({ externalEngagementId: 'x', returnExisting: true });
		const again = await run(service, inAnotherCase);
		expect(toJson(again.items)).toMatchObject([{ engagementId: 1004, created: false }]);
		expect(listHints(again)).toEqual(notListed);
		await systemClock.sleep(5 * 60_000 + 1);
		const late = await run(service, returning);
		expect(toJson(late.items)).toMatchObject([{ engagementId: 1005, created: true }]);
		expect(listHints(late)).toEqual([]);
	});

	it('creates one if two executions run at the same moment', async () => {
		service.settings.latencyMs = 50;
		const results = await Promise.all([run(service, returning), run(service, returning)]);
		expect(results.flatMap(listCreated).sort()).toEqual([false, true]);
		expect(results.flatMap(listHints)).toEqual(notListed);
		expect(listPosts(service)).toHaveLength(1);
	});

	it('does not return that of another account, nor one with another ID', async () => {
		await run(service, plain);
		const another = create({ externalEngagementId: 'X-1', returnExisting: true });
		expect(listCreated(await run(service, another))).toEqual([true]);
		const body = { Id: '7', name: 'New' };
		service.fail({ method: 'POST' }, { kind: 'status', status: 200, body });
		const credential = makeCredential(service, { clientId: randomUUID() });
		expect(listCreated(await run(service, returning, [{}], { credential }))).toEqual([true]);
	});

	describe('waits for one that is under way', () => {
		/** Runs the node while another execution creates the engagement, which ends like this. */
		async function meet(fault: Parameters<typeof service.fail>[1]): Promise<NodeResult> {
			service.settings.latencyMs = 1000;
			service.fail({ method: 'POST', path: /engagements$/ }, fault);
			const credential = makeEndpointCredential(service);
			const first = start(service, plain, [{}], { credential });
			await until(
				() => listPosts(service).some(({ path }) => path.endsWith('engagements')),
				'a create',
			);
			service.settings.latencyMs = 0;
			const result = await run(service, returning);
			expect((await first.done).error).toBeDefined();
			return result;
		}

		it('and creates one itself if that was refused', async () => {
			expect(listCreated(await meet({ kind: 'status', status: 400 }))).toEqual([true]);
		});

		it('and looks it up if its outcome is unknown', async () => {
			service.clearFaults();
			const result = await meet({ kind: 'status', status: 504, afterProcessing: true });
			expect(toJson(result.items)).toMatchObject([{ engagementId: 1004, created: false }]);
			expect(listPosts(service)).toEqual([]);
		});

		it('and fails if nothing is found then', async () => {
			expect(errorText(await meet({ kind: 'status', status: 504 }))).toMatch(
				/^Not created: it is unknown whether an earlier item or execution created .*“X” \[item 0\]/,
			);
			expect(listPosts(service)).toEqual([]);
		});
	});
});
