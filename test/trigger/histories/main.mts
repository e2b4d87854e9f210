/**
 * `npm run test:histories -- [--runs N] [--seed S] [--path P] [--event E] [--mode memory|durable]`: plays
 * random histories.
 */
import fc from 'fast-check';
import { parseArgs } from 'node:util';
import { histories } from './arbitrary.mts';
import { EVENTS } from './history.mts';
import { judge } from './oracle.mts';
import { play } from './player.mts';

const MODES = ['memory', 'durable'];
const PROGRESS_EVERY = 200;

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			// A minute.
			runs: { type: 'string', default: '1000' },
			seed: { type: 'string', default: '1' },
			path: { type: 'string', default: '' },
			event: { type: 'string' },
			mode: { type: 'string' },
		},
	});
	const event = chooseOne(EVENTS, values.event);
	const mode = chooseOne(MODES, values.mode);
	const [seed, numRuns] = [Number(values.seed), Number(values.runs)];
	let [played, emitted, found] = [0, 0, 0];
	const drawn = histories(event, mode === undefined ? undefined : mode === 'durable');
	const property = fc.asyncProperty(drawn, async (history) => {
		played += 1;
		if (played % PROGRESS_EVERY === 0) console.log(`${played} of ${numRuns} histories`);
		const outcome = await play(history);
		emitted += outcome.polls.reduce((sum, { items = [] }) => sum + items.length, 0);
		const complaints = judge(outcome).slice(0, 8).join('\n');
		if (complaints === '') return;
		// It may take long to find the smallest.
		if (found++ === 0)
			console.error(`History ${played} fails, looking for a smaller one: ${complaints}`);
		throw new Error(complaints);
	});
	await fc.assert(property, { seed, numRuns, path: values.path }).catch((error: unknown) => {
		console.error('To replay it, add --runs 1 and its --seed and --path to the command:');
		throw error;
	});
	console.log(
		`${numRuns} histories kept the promises, with ${emitted} items emitted. Seed ${seed}`,
	);
	if (emitted > 0) return 0;
	console.error('Make test/trigger/histories/arbitrary.mts cause what should be emitted');
	return 1;
}

function chooseOne(known: string[], name: string | undefined): string | undefined {
	if (name === undefined || known.includes(name)) return name;
	throw new Error(`“${name}” is not one of ${known.join(', ')}`);
}

// A poll that a history cut off may wait for ever, by a clock that has stopped.
main().then(process.exit, (error: unknown) => {
	console.error(error);
	process.exit(1);
});
