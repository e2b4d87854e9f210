/**
 * What the trigger remembers within n8n's process, and the clocks that it reads. Under tsx, an import
 * from a test would be another instance of the module: forgetting what that one remembers is no
 * restart, and its clock is nobody's.
 */
import { createRequire } from 'node:module';
import path from 'node:path';

const requireProduct = createRequire(path.resolve('package.json'));
const load = <T,>(file: string) => requireProduct(`./nodes/EngagementUploads/${file}.ts`) as T;

type Polls = typeof import('../../../nodes/EngagementUploads/trigger/pollMode.ts');
type States = typeof import('../../../nodes/EngagementUploads/trigger/store.ts');
type Clock = typeof import('../../../nodes/EngagementUploads/values/clock.ts');
const { forgetPolls } = load<Polls>('trigger/pollMode');
const { forgetStates } = load<States>('trigger/store');
const { systemClock } = load<Clock>('values/clock');

/** Forgets all triggers, as a restart of n8n does. */
export function forgetProcess(): void {
	forgetPolls();
	forgetStates();
}

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
