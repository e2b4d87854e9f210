import { Circuit, decideRetry } from '../../../nodes/EngagementUploads/transport/failures/retry.ts';
import { TestClock } from '../../support/testClock.mts';

it('of two long waits that the service asks for, the longer one counts', async () => {
	const clock = new TestClock();
	const circuit = new Circuit({}, clock);
	for (const seconds of ['3600', '130']) {
		const outcome = { status: 429, headers: { 'retry-after': seconds }, text: '' };
		const attempt = { outcome, repeatable: true, attempts: 1, now: 0, random: 0 };
		circuit.onFailure(outcome, decideRetry(attempt), clock.now(), 0);
	}
	await clock.sleep(3_599_000);
	expect(circuit.blockedBy?.decision.after).toBe(3_600_000);
	await clock.sleep(2000);
	expect(circuit.blockedBy).toBeUndefined();
});
