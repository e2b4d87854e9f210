import type { Sandbox } from '../sandbox.mts';
import { EventTriggers } from './events.mts';
import { MODES } from './modes.mts';
import { useSandbox } from './setup.mts';

describe.each(MODES)('with %s polling, every event', (_mode, env) => {
	let sandbox: Sandbox;
	let triggers: EventTriggers;

	// Each test continues where the one before it stopped.
	const prepare = async (opened: Sandbox) => {
		sandbox = opened;
		triggers = await EventTriggers.publish(sandbox);
	};
	useSandbox(prepare, { service: {}, env });

	test('is emitted once, and not for earlier uploads', async () => {
		triggers.change();
		await triggers.expectAllEmitted();
		await triggers.waitForPolls();
		await triggers.expectAllEmitted();
	});

	test('is emitted once when it happens during an orderly restart', async () => {
		await sandbox.n8n.stop();
		triggers.change();
		await sandbox.restart();
		await triggers.expectAllEmitted();
	});

	test('is emitted once when n8n is killed between polls', async () => {
		await triggers.waitForPolls();
		await sandbox.n8n.kill();
		triggers.change();
		await sandbox.restart();
		await triggers.waitForPolls();
		await triggers.expectAllEmitted();
	});
});
