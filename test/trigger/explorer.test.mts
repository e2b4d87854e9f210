import { explore } from './explorer/explore.mts';
import { plans } from './explorer/plans.mts';
import { EVENTS } from './histories/history.mts';

/** Enough to notice breakage while working; `npm run test:explorer` goes on from here. */
const DEPTH = 4;

it('has a small world for each event', () => {
	const missing = EVENTS.filter((event) => !plans.some((plan) => plan.event === event));
	const advice = 'a small world to test/trigger/explorer/plans.mts';
	expect(missing.map((event) => `Add ${advice} for ${event}`)).toEqual([]);
});

const oneForEachEvent = plans.filter(
	({ event }, at) => plans.findIndex((plan) => plan.event === event) === at,
);

it.each(oneForEachEvent)(
	'every state of the small world “$name” keeps the promises',
	async (plan) => {
		const { broken, states } = await explore(plan, { depth: DEPTH });
		expect(broken).toBeUndefined();
		expect(states).toBeGreaterThan(100);
	},
);
