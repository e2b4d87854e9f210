/** `npm run test:histories -- --runs N [--seed S] [--path P] [--event E]`: plays random histories. */
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
		},
	});
	const runs = Number(values.runs);
	let [played, shown] = [0, performance.now()];
	const property = fc.asyncProperty(histories(chosenEvent(values.event)), async (history) => {
		played += 1;
		if (performance.now() - shown > PROGRESS_EVERY_MS) {
			shown = performance.now();
			console.log(`${played} of ${runs} histories`);
		}
		const complaints = judge(await play(history));
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
		console.error(`Replay: npm run test:histories -- --seed ${seed} --path ${path} --runs 1`);
		return 1;
	}
	console.log(`${runs} histories kept the promises. Seed ${seed}`);
	return 0;
}

function chosenEvent(name: string | undefined): EventName | undefined {
	const event = EVENTS.find((each) => each === name);
	if (name === undefined || event !== undefined) return event;
	throw new Error(`There is no event “${name}”. Events: ${EVENTS.join(', ')}`);
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
