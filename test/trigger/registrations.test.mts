/** Polls that overlap, registrations that n8n leaves behind, and emissions that it takes back. */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { needsPollBudgets } from '../support/engine/lines.mts';
import type { Poller } from '../support/engine/poller.mts';
import { delays } from '../support/service/http.mts';
import {
	activated,
	complete,
	expectNext,
	listIds,
	service,
	trigger,
	useSmallService,
} from './polling.mts';

let workflowId: string;
useSmallService(() => {
	workflowId = randomUUID();
});

/** A registration of the trigger, with what n8n has saved in the workflow's data. */
const register = async (globalStaticData: IDataObject = {}) =>
	await activated({}, { workflowId, globalStaticData });

/** Time passes for the polls in progress. */
function passSeconds(seconds: number): void {
	const now = systemClock.now();
	jest.spyOn(systemClock, 'now').mockReturnValue(now + seconds * 1000);
}

it('two registrations in one process emit each upload once between them', async () => {
	const older = await register();
	const newer = await register(older.globalState);
	for (const first of [older, newer, newer, older]) {
		// The other one has not polled since.
		await expectNext(first);
		await expectNext(first);
		expect(await listIds(first === older ? newer : older)).toEqual([]);
		service.model.clock.move(60_000);
	}
});

it('triggers of two workflows with the same node ID, as after an import, know nothing of each other', async () => {
	const one = await activated();
	const other = await activated();
	const ids = [complete()];
	expect(await listIds(one)).toEqual(ids);
	expect(await listIds(other)).toEqual(ids);
	service.settings.latencyMs = 100;
	ids.push(complete());
	const polls = await Promise.all([one, other].map(listIds));
	expect(polls).toEqual([ids.slice(1), ids.slice(1)]);
});

/** Starts a poll, whose request the service answers when `answer` is called. */
async function startPoll(poller: Poller) {
	service.clearRequests();
	service.settings.latencyMs = 1;
	let answer = () => {};
	const answering = new Promise<void>((resolve) => (answer = resolve));
	jest.spyOn(delays, 'wait').mockReturnValueOnce(answering);
	const outcome = poller.poll();
	while (service.requests.length === 0) await nextTurn();
	return { outcome, answer };
}

describe('of overlapping polls', () => {
	it('one does nothing while another is in progress', async () => {
		const poller = await register();
		complete();
		const { outcome, answer } = await startPoll(poller);
		expect(await listIds(poller)).toEqual([]);
		expect(service.requests).toHaveLength(1);
		answer();
		expect(await outcome).toHaveLength(1);
		await expectNext(poller);
	});

	it.each([true, false])(
		'one that has outlived its time is superseded, and neither emits nor fails (failing: %s)',
		async (isFailing) => {
			const onError = 'continueRegularOutput';
			const poller = await activated({}, { workflowId, onError });
			await expectNext(poller);
			const { outcome, answer } = await startPoll(poller);
			passSeconds(301);
			await expectNext(poller);
			if (isFailing) service.fail({ path: /uploads$/ }, { kind: 'status', status: 403 });
			answer();
			expect(await outcome).toBeNull();
		},
	);
});

it('what n8n discards because the workflow was published meanwhile is emitted again', async () => {
	const poller = await register();
	await expectNext(poller);
	const { state: staticData, globalState: globalStaticData } = poller;
	const id = complete();
	expect(await listIds(poller)).toEqual([id]);
	// A newer registration is given the data as they were before.
	const newer = trigger({}, { workflowId, staticData, globalStaticData });
	expect(await listIds(newer)).toEqual([id]);
	expect(await listIds(newer)).toEqual([]);
});

describe('an emission that n8n rolls back in durable polling', () => {
	const activatedDurably = async () => await activated({}, { durable: true, workflowId });

	it.each([true, false])('is repeated after a restart, or its time (restarted: %s)', async (is) => {
		const poller = await activatedDurably();
		expect(await listIds(poller)).toEqual([]);
		const ids = [complete()];
		expect(await listIds(poller)).toEqual(ids);
		poller.rollBack();
		ids.push(complete());
		if (is) {
			poller.restart();
			poller.reactivate();
		} else {
			// Until then, n8n may still be saving it.
			expect(await listIds(poller)).toEqual([]);
			passSeconds(37);
		}
		expect(await listIds(poller)).toEqual(ids);
		expect(await listIds(poller)).toEqual([]);
	});

	it.each([true, false])(
		'is repeated if it came with publishing (published again: %s)',
		async (isPublishedAgain) => {
			const poller = await activatedDurably();
			await expectNext(poller);
			poller.reactivate();
			const id = complete();
			expect(await listIds(poller)).toEqual([id]);
			poller.rollBack();
			if (isPublishedAgain) poller.reactivate();
			else passSeconds(61);
			expect(await listIds(poller)).toEqual([id]);
			expect(await listIds(poller)).toEqual([]);
		},
	);
});

it('changing between the modes of polling loses and repeats nothing', async () => {
	needsPollBudgets();
	let saved: { staticData: IDataObject; globalStaticData: IDataObject } = {
		staticData: {},
		globalStaticData: {},
	};
	for (const durable of [false, true, false, true]) {
		const poller = trigger({}, { activation: 'init', durable, ...saved });
		expect(await listIds(poller)).toEqual([]);
		const id = complete();
		const emitted = [...(await listIds(poller)), ...(await listIds(poller))];
		expect(emitted).toEqual([id]);
		await expectNext(poller);
		saved = { staticData: poller.state, globalStaticData: poller.globalState };
	}
});
