/**
 * `npm run test:histories -- --runs N [--seed S] [--path P] [--event E] [--mode memory|durable]`: plays
 * random histories.
 */
import fc from 'fast-check';
import { parseArgs } from 'node:util';
import { histories } from './arbitrary.mts';
import { EVENTS, type EventName, type History } from './history.mts';
import { judge } from './oracle.mts';
import { play } from './player.mts';

const PROGRESS_EVERY_MS = 3000;

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			runs: { type: 'string', default: '10000' },
			seed: { type: 'string', default: '1' },
			path: { type: 'string' },
			event: { type: 'string' },
			mode: { type: 'string' },
		},
	});
	const runs = Number(values.runs);
	let [played, emitted, shown] = [0, 0, performance.now()];
	const drawn = histories(chosenEvent(values.event), isDurable(values.mode));
	const property = fc.asyncProperty(drawn, async (history) => {
		played += 1;
		if (performance.now() - shown > PROGRESS_EVERY_MS) {
			shown = performance.now();
			console.log(`${played} of ${runs} histories`);
		}
		const outcome = await play(history);
		emitted += outcome.polls.reduce((sum, { items = [] }) => sum + items.length, 0);
		const complaints = judge(outcome);
		if (complaints.length > 0) throw new Error(complaints.slice(0, 8).join('\n'));
	});
	const seed = Number(values.seed);
	const result = await fc.check(property, {
		seed,
		numRuns: runs,
		path: values.path ?? '',
		verbose: 0,
	});
	if (result.failed) {
		const [history] = result.counterexample ?? [];
		const path = result.counterexamplePath ?? '';
		console.error(`Seed ${seed} fails after ${result.numRuns} histories:`);
		console.error(result.errorInstance instanceof Error ? result.errorInstance.message : '');
		console.error(inShort(history));
		const { event, mode } = values;
		const chosen = Object.entries({ seed, path, runs: 1, event, mode });
		const options = chosen.map(([name, value]) =>
			value === undefined ? '' : ` --${name} ${value}`,
		);
		console.error(`Replay: npm run test:histories --${options.join('')}`);
		return 1;
	}
	console.log(`${runs} histories kept the promises, with ${emitted} items emitted. Seed ${seed}`);
	if (emitted > 0) return 0;
	console.error('Make test/trigger/histories/arbitrary.mts cause what should be emitted');
	return 1;
}

function chosenEvent(name: string | undefined): EventName | undefined {
	const event = EVENTS.find((each) => each === name);
	if (name === undefined || event !== undefined) return event;
	throw new Error(`There is no event “${name}”. Events: ${EVENTS.join(', ')}`);
}

function isDurable(mode: string | undefined): boolean | undefined {
	if (mode === undefined) return undefined;
	if (mode === 'memory' || mode === 'durable') return mode === 'durable';
	throw new Error(`There is no mode “${mode}”. Modes: memory, durable`);
}

function inShort(history: History | undefined): string {
	if (history === undefined) return '';
	const { steps, uploads, ...rest } = history;
	return [rest, ...steps, ...uploads].map((part) => JSON.stringify(part)).join('\n');
}

// A poll that a history cut off may wait for ever, by a clock that has stopped.
main().then(process.exit, (error: unknown) => {
	console.error(error);
	process.exit(1);
});
