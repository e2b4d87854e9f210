/** What a failing poll does by the trigger's On Error, and when n8n starts. */
import type { Poller } from '../support/engine/poller.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { activated, expectNext, service, trigger, useSmallService } from './polling.mts';

const list = { path: /uploads$/ };

useVirtualTime();
useSmallService();

const refuse = (times: number) => service.fail(list, { kind: 'status', status: 403 }, { times });

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

	it('an outage emits one error until a poll reads everything, and leaves the state as it was', async () => {
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

	it('an outage when n8n starts does not turn off the trigger, and is reported by the next poll', async () => {
		const { state: staticData, globalState: globalStaticData } = await running();
		const saved = { staticData, globalStaticData, workflowId: `restarted-${setup.onError}` };
		const restarted = trigger({}, { ...setup, ...saved, activation: 'init' });
		refuse(2);
		expect(await restarted.poll()).toBeNull();
		expect(await toJson(restarted)).toEqual(alert('(403)'));
		await expectNext(restarted);
	});

	it('the first poll of a registration throws, and so does one without a state of its event', async () => {
		refuse(2);
		const poller = trigger({}, setup);
		await expect(poller.poll()).rejects.toThrow('403');
		await expect(poller.poll()).rejects.toThrow('403');
		const other = await running();
		other.reactivate();
		refuse(1);
		await expect(other.poll()).rejects.toThrow('403');
		other.change({ event: 'uploadFailed' });
		refuse(1);
		await expect(other.poll()).rejects.toThrow('403');
		expect(await other.poll()).toBeNull();
	});
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
