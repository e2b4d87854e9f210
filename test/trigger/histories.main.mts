/** `npm run test:histories -- --runs N [--seed S]`: plays random histories until one goes wrong. */
import { parseArgs } from 'node:util';
import { historyOf } from './generator.mts';
import { report, wrongIn } from './verdict.mts';

const PROGRESS_EVERY_MS = 3000;

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: { runs: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
	});
	const [runs, first] = [wholeNumber('runs', values.runs), wholeNumber('seed', values.seed)];
	let shown = Date.now();
	for (let played = 0; played < runs; played++) {
		const seed = first + played;
		const complaints = await wrongIn(historyOf(seed));
		if (complaints.length > 0) {
			console.error(await report(seed, complaints));
			return 1;
		}
		if (Date.now() - shown < PROGRESS_EVERY_MS) continue;
		shown = Date.now();
		console.log(`${played + 1} of ${runs} histories`);
	}
	console.log(`${runs} histories, each upload emitted once. Seeds ${first} to ${first + runs - 1}`);
	return 0;
}

function wholeNumber(option: string, value: string): number {
	const number = Number(value);
	if (Number.isSafeInteger(number) && number >= 1) return number;
	throw new Error(`--${option} must be a whole number of at least 1, not ${value}`);
}

main().then(
	(code) => (process.exitCode = code),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	},
);
