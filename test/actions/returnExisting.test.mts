/**
 * Engagement > Create with an external ID: an engagement that has it is returned instead of a second one.
 * test/actions/randomWrites has what happens within a run.
 */
import { randomUUID } from 'node:crypto';

import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import type { NodeResult } from '../support/engine/nodeRun.mts';
import { errorText, run, service, start, toJson, until } from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { makeCredential } from '../support/world/credentials.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';
import { create, listPosts } from './creates.mts';

useVirtualTime();
useSmallWorld(beforeEach);

const returning = create({ externalEngagementId: ' X' }, 'New');
const listCreated = ({ items }: NodeResult) => toJson(items).map(({ created }) => created);

it('is an error where several have it', async () => {
	for (const id of [7, 8]) service.model.addEngagement({ id, externalEngagementId: 'X' });
	expect(errorText(await run(service, returning))).toMatch(
		/^2 engagements have the External Engagement ID “X”: 7, 8/,
	);
});

it('says in selected fields, too, whether it has created one, and leaves raw as it was sent', async () => {
	const selected = { ...returning, output: 'selectedFields', fields: ['name'] };
	const same = { engagementId: 1004, name: 'New' };
	for (const created of [true, false])
		expect(toJson((await run(service, selected)).items)).toEqual([{ ...same, created }]);
	const { items } = await run(service, { ...returning, output: 'raw' });
	expect(items[0]?.json).not.toHaveProperty('created');
});

it('lets a later run find one whose outcome is unknown', async () => {
	service.fail({ method: 'POST' }, { kind: 'status', status: 504, afterProcessing: true });
	expect(errorText(await run(service, returning))).toContain('outcome is unknown');
	const { items } = await run(service, returning);
	expect(toJson(items)).toMatchObject([{ engagementId: 1004, created: false }]);
});

describe('while the service does not list a new engagement, a create', () => {
	beforeEach(() => {
		const body = { content: [], last: true };
		service.fail({ method: 'GET' }, { kind: 'status', status: 200, body }, { times: Infinity });
	});

	it('returns what another execution has created in the last five minutes', async () => {
		await run(service, returning);
		const again = await run(service, returning);
		expect(toJson(again.items)).toMatchObject([{ engagementId: 1004, created: false }]);
		await systemClock.sleep(5 * 60_000 + 1);
		expect(listCreated(await run(service, returning))).toEqual([true]);
	});

	it('does not return that of another account', async () => {
		await run(service, returning);
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
