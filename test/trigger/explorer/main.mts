/**
 * `npm run test:explorer -- [--event E] [--world W] [--depth N] [--minutes M]`: visits every state of
 * the small worlds in plans.mts.
 */
import { parseArgs } from 'node:util';
import { explore } from './explore.mts';
import { plans } from './plans.mts';

const option = { type: 'string' } as const;
const { values } = parseArgs({
	options: { event: option, world: option, depth: option, minutes: option },
});
const depth = values.depth === undefined ? undefined : Number(values.depth);
const time = values.minutes === undefined ? undefined : Number(values.minutes) * 60_000;

let total = 0;
for (const plan of plans) {
	const { event = plan.event, world = plan.name } = values;
	if (event !== plan.event || world !== plan.name) continue;
	const { states, polls, broken, depth: reached } = await explore(plan, { depth, time });
	total += states;
	console.log(`${plan.name}: ${states} states, depth ${reached}, ${polls} polls`);
	if (broken === undefined) continue;
	console.error(broken);
	process.exitCode = 1;
}
if (total === 0) throw new Error('No small world in plans.mts has this event or name');
console.log(`${total} states in all`);
