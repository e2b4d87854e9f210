/**
 * The clocks that the product reads. Under tsx, an import from a test would be another instance of the
 * module, whose clock is nobody's.
 */
import { createRequire } from 'node:module';
import path from 'node:path';

type Clock = typeof import('../../../nodes/EngagementUploads/values/clock.ts');
const requireProduct = createRequire(path.resolve('package.json'));
const { systemClock } = requireProduct('./nodes/EngagementUploads/values/clock.ts') as Clock;

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
