import { upload } from '../../../nodes/EngagementUploads/service/records.ts';
import { clientOf } from './clientOf.mts';
import { TestClock } from '../../support/testClock.mts';

it('a wait lasts as long as it should, or ends soon after its request is no longer wanted', async () => {
	const clock = new TestClock();
	const client = clientOf({ clock });
	const start = clock.now();
	await client.wait(1234);
	expect(clock.now() - start).toBe(1234);
	let isWanted = true;
	clock.after(5000, () => (isWanted = false));
	const request = { method: 'GET', path: '/', kind: upload, purpose: 'get it' } as const;
	const waiting = client.wait(3_600_000, { ...request, isWanted: () => isWanted });
	await expect(waiting).rejects.toThrow('The execution was stopped');
	expect(clock.now() - start - 1234 - 5000).toBeLessThan(1000);
});
