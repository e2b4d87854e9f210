/** What a failing poll does by the trigger's On Error. */
import type { Poller } from '../support/engine/poller.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import {
	activated,
	changeCredential,
	complete,
	expectNext,
	listIds,
	modes,
	service,
	trigger,
	useSmallService,
} from './polling.mts';

const MINUTE = 60_000;
const list = { path: /uploads$/ };

useVirtualTime();
useSmallService();

const refuse = (times: number) => service.fail(list, { kind: 'status', status: 403 }, { times });

function refuseForMinutes(minutes: number, status = 429): void {
	const headers = { 'retry-after': String(minutes * 60) };
	service.fail(list, { kind: 'status', status, headers });
}

function passMinutes(minutes: number): void {
	const { now } = Date;
	jest.spyOn(Date, 'now').mockImplementation(() => now() + minutes * MINUTE);
}

/** What a poll emits. */
const toJson = async (poller: Poller) => ((await poller.poll()) ?? []).map(({ json }) => json);

const alert = (text: string) => [{ error: expect.stringContaining(text) as string }];

const settings = [
	{ durable: false, onError: 'continueRegularOutput' },
	{ durable: true, onError: 'continueErrorOutput' },
] as const;

describe.each(settings)('with $onError (durable: $durable)', (setup) => {
	/** A trigger that has emitted an upload. */
	async function running(): Promise<Poller> {
		const poller = await activated({}, setup);
		await expectNext(poller);
		return poller;
	}

	it('an outage emits one error until a poll reads the list, and leaves the state as it was', async () => {
		const poller = await running();
		for (const finds of ['nothing', 'an upload', 'nothing']) {
			const { state: before, globalState } = poller;
			refuse(3);
			expect(await toJson(poller)).toEqual(alert('(403)'));
			expect(await poller.poll()).toBeNull();
			expect(await poller.poll()).toBeNull();
			const { outage: _, ...state } = poller.state;
			expect(state).toEqual(before);
			expect(poller.globalState).toEqual(globalState);
			if (finds === 'an upload') await expectNext(poller);
			expect(await poller.poll()).toBeNull();
		}
	});

	it('a failure of the list is reported, though one of only the steps was', async () => {
		const poller = await activated({ options: { includeWorkflow: true } }, setup);
		await expectNext(poller);
		const [first, second] = [complete(), complete()].sort();
		const down = { kind: 'status', status: 503 } as const;
		service.fail({ path: /workflows/ }, down, { times: Infinity });
		expect(await toJson(poller)).toEqual(alert('503'));
		expect(await poller.poll()).toBeNull();
		for (let outage = 0; outage < 2; outage++) {
			refuse(2);
			expect(await toJson(poller)).toEqual(alert('(403)'));
			expect(await poller.poll()).toBeNull();
			// The list can be read again, the steps of none or only one upload can.
			if (outage === 0) expect(await poller.poll()).toBeNull();
			service.clearFaults();
			service.fail({ path: new RegExp(`workflows.*${second}`) }, down, { times: Infinity });
			if (outage === 1) expect(await listIds(poller)).toEqual([first]);
		}
		refuse(1);
		expect(await toJson(poller)).toEqual(alert('(403)'));
	});

	it('a poll that emits only part of what is due does not end an outage', async () => {
		const poller = await activated({ options: { pageSize: 2 } }, setup);
		await expectNext(poller);
		refuse(1);
		expect(await toJson(poller)).toEqual(alert('(403)'));
		const [first, second] = [complete(), complete()].sort();
		service.fail({ ...list, query: { page: /1/ } }, { kind: 'status', status: 403 });
		expect(await listIds(poller)).toEqual([first]);
		refuse(1);
		expect(await poller.poll()).toBeNull();
		expect(await listIds(poller)).toEqual([second]);
		refuse(1);
		expect(await toJson(poller)).toEqual(alert('(403)'));
	});

	it.each([
		['at the time that it names', 429, 10, 11],
		['after an hour, even if a longer one was asked for', 403, 7 * 24 * 60, 66],
		['when the clock is set back', 403, 7 * 24 * 60, -300],
	])('nothing is requested during a long wait, which ends %s', async (_, status, ...minutes) => {
		const [asked, passed] = minutes;
		const poller = await running();
		// The token must outlive the wait.
		service.settings.tokenLifetimeMs = 24 * 60 * MINUTE;
		changeCredential(poller, { accessToken: service.issueToken() });
		refuseForMinutes(asked, status);
		expect(await toJson(poller)).toEqual(alert(String(status)));
		const id = complete();
		service.clearRequests();
		expect(await poller.poll()).toBeNull();
		expect(service.requests).toHaveLength(0);
		passMinutes(passed);
		expect(await listIds(poller)).toEqual([id]);
	});

	it('an outage when n8n starts does not turn off the trigger, and is reported by the next poll', async () => {
		const { state: staticData, globalState: globalStaticData } = await running();
		const saved = { staticData, globalStaticData, workflowId: `restarted-${setup.onError}` };
		// The ID of another workflow, since this process knows the trigger.
		const restarted = trigger({}, { ...setup, ...saved, activation: 'init' });
		refuse(2);
		expect(await restarted.poll()).toBeNull();
		expect(await toJson(restarted)).toEqual(alert('(403)'));
		await expectNext(restarted);
	});

	it('the first poll of a registration throws, even during a long wait', async () => {
		refuse(2);
		const poller = trigger({}, setup);
		await expect(poller.poll()).rejects.toThrow('403');
		await expect(poller.poll()).rejects.toThrow('403');
		const other = await running();
		refuseForMinutes(10);
		expect(await toJson(other)).toHaveLength(1);
		other.reactivate();
		refuse(1);
		await expect(other.poll()).rejects.toThrow('403');
		expect(await other.poll()).toBeNull();
		passMinutes(11);
		await expectNext(other);
	});
});

it.each(modes)('a poll without a state of its event throws (durable: %s)', async ({ durable }) => {
	const poller = await activated({}, { durable, onError: 'continueErrorOutput' });
	await expectNext(poller);
	poller.change({ event: 'uploadFailed' });
	refuse(2);
	await expect(poller.poll()).rejects.toThrow('403');
	await expect(poller.poll()).rejects.toThrow('403');
	expect(await poller.poll()).toBeNull();
});

it('no message holds the word at which n8n gives up a trigger when it starts', async () => {
	const body = { message: 'Authorization failed: ProxyAuthorization, AUTHORIZATION' };
	service.fail(list, { kind: 'status', status: 403, body }, { times: Infinity });
	const text = 'authorization failed: Proxyauthorization, AUTHORIZATION';
	await expect(trigger().poll()).rejects.toThrow(text);
	service.clearFaults();
	const poller = await activated({}, { onError: 'continueRegularOutput' });
	await expectNext(poller);
	service.fail(list, { kind: 'status', status: 403, body });
	expect(await toJson(poller)).toEqual(alert(text));
});
