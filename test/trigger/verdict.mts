/** Whether a history goes as promised, and what is left of one that does not. */
import { historyOf } from './generator.mts';
import type { History } from './history.mts';
import { judge } from './oracle.mts';
import { play } from './player.mts';

/** What is wrong with how a history goes. */
export async function wrongIn(history: History): Promise<string[]> {
	const complaints = judge(await play(history));
	// Lets time-outs of requests that are long over be forgotten.
	await new Promise((resolve) => setImmediate(resolve));
	return complaints;
}

/** A failure as text, with its seed and the smallest history that still goes wrong. */
export async function report(seed: number, complaints: string[]): Promise<string> {
	const small = await narrowed(historyOf(seed));
	return [
		`Seed ${seed} goes wrong:`,
		...complaints.slice(0, 8).map((text) => `  ${text}`),
		'Narrowed down to:',
		...(await wrongIn(small)).map((text) => `  ${text}`),
		inShort(small),
		`Replay: npm run test:histories -- --runs 1 --seed ${seed}`,
	].join('\n');
}

/** Leaves out whatever can be left out while it still goes wrong. */
export async function narrowed(history: History): Promise<History> {
	let small = history;
	for (let again = true; again; ) {
		again = false;
		for (const simpler of simplerThan(small)) {
			if (await isRight(simpler)) continue;
			small = simpler;
			again = true;
			break;
		}
	}
	return small;
}

async function isRight(history: History): Promise<boolean> {
	try {
		return (await wrongIn(history)).length === 0;
	} catch {
		return true;
	}
}

function* simplerThan(history: History): Generator<History> {
	const { steps, uploads, settings } = history;
	const half = Math.ceil(uploads.length / 2);
	const names = steps.some((step) => step.do === 'move' || step.do === 'status');
	for (const [index, step] of steps.entries()) {
		yield { ...history, steps: steps.toSpliced(index, 1) };
		if (step.do !== 'poll') continue;
		if (step.fault) yield { ...history, steps: steps.with(index, { ...step, fault: undefined }) };
		if (step.overlapping > 1)
			yield { ...history, steps: steps.with(index, { ...step, overlapping: 1 }) };
	}
	if (!names && uploads.length > 3) {
		yield { ...history, uploads: uploads.slice(half) };
		yield { ...history, uploads: uploads.slice(0, half) };
	}
	for (const index of names ? [] : uploads.keys())
		yield { ...history, uploads: uploads.toSpliced(index, 1) };
	for (const name of Object.keys(settings)) {
		const { [name as keyof typeof settings]: _, ...fewer } = settings;
		yield { ...history, settings: fewer };
	}
	if (history.durable) yield { ...history, durable: false };
	if (history.behind !== 0) yield { ...history, behind: 0 };
	if (history.requestTime !== 0) yield { ...history, requestTime: 0 };
	if (history.zone !== 'UTC') yield { ...history, zone: 'UTC' };
}

/** A history in short, for whoever has to understand why it went wrong. */
function inShort({ settings, steps, uploads, ...rest }: History): string {
	return JSON.stringify({ ...rest, uploads: uploads.length, settings, steps }, undefined, 1);
}
