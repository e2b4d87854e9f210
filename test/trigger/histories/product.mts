/**
 * What the node itself uses and remembers. Under tsx, an import from a test would be another instance
 * of the module: forgetting what that one remembers is no restart, and its clock is nobody's.
 */
import { createRequire } from 'node:module';
import path from 'node:path';

const requireProduct = createRequire(path.resolve('package.json'));
const { forgetPolls } = requireProduct(
	'./nodes/EngagementUploads/trigger/pollMode.ts',
) as typeof import('../../../nodes/EngagementUploads/trigger/pollMode.ts');
const { forgetStates } = requireProduct(
	'./nodes/EngagementUploads/trigger/state.ts',
) as typeof import('../../../nodes/EngagementUploads/trigger/state.ts');

/** Forgets all triggers, as a restart of n8n does. */
export function forgetProcess(): void {
	forgetPolls();
	forgetStates();
}

const { systemClock } = requireProduct(
	'./nodes/EngagementUploads/values/clock.ts',
) as typeof import('../../../nodes/EngagementUploads/values/clock.ts');

/** Makes n8n's clocks show these times (epoch milliseconds); returns what sets them right again. */
export function setClocks(
	timeOfDay: () => number,
	elapsed: () => number,
	sleep: (milliseconds: number) => Promise<void>,
): () => void {
	const real = [Date.now, systemClock.now, systemClock.sleep] as const;
	[Date.now, systemClock.now, systemClock.sleep] = [timeOfDay, elapsed, sleep];
	return () => ([Date.now, systemClock.now, systemClock.sleep] = real);
}
