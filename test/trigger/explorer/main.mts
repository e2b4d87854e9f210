/**
 * `npm run test:explorer -- [--event E] [--world W] [--depth N] [--minutes M] [--workers 2]`: visits
 * every state of the small worlds in plans.mts, each in a process of its own.
 * `npm run test:explorer -- --defects`: shows that it finds each defect in defects.mts.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { defects, withDefect } from './defects.mts';
import { explore, type Explored } from './explore.mts';
import { plans } from './plans.mts';
import type { Plan } from './smallWorld.mts';

const { values } = parseArgs({
	options: {
		event: { type: 'string' },
		world: { type: 'string' },
		depth: { type: 'string' },
		minutes: { type: 'string' },
		workers: { type: 'string', default: '2' },
		/** Explores one world and prints the result as JSON. */
		worker: { type: 'boolean' },
		defects: { type: 'boolean' },
	},
});

/** A world that was explored, and the processor time that it took in seconds. */
type Result = Explored & { seconds: number };

async function work(name: string): Promise<void> {
	const plan = plans.find((each) => each.name === name);
	if (plan === undefined) throw new Error(`There is no world “${name}”`);
	const depth = values.depth === undefined ? undefined : Number(values.depth);
	const time = values.minutes === undefined ? undefined : Number(values.minutes) * 60_000;
	const explored = await explore(plan, { depth, time });
	const { user, system } = process.cpuUsage();
	console.log(JSON.stringify({ ...explored, seconds: (user + system) / 1e6 }));
}

/** Explores a world in another process, with the code of a folder. */
async function explored(name: string, folder = process.cwd()): Promise<Result> {
	const main = path.join(folder, 'test/trigger/explorer/main.mts');
	const limits = (['depth', 'minutes'] as const).flatMap((limit) =>
		values[limit] === undefined ? [] : [`--${limit}`, values[limit]],
	);
	const given = ['--import', 'tsx', main, '--worker', '--world', name, ...limits];
	const child = spawn(process.execPath, given, {
		cwd: folder,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let output = '';
	child.stdout.on('data', (text: Buffer) => (output += text.toString()));
	await new Promise((resolve) => child.on('close', resolve));
	return JSON.parse(output) as Result;
}

async function exploreAll(chosen: Plan[]): Promise<boolean> {
	const waiting = [...chosen];
	const results: Result[] = [];
	const next = async (): Promise<void> => {
		const plan = waiting.shift();
		if (plan === undefined) return;
		const result = await explored(plan.name);
		results.push(result);
		console.log(
			`${plan.name}: ${result.states} states, depth ${result.depth}, ` +
				`${result.polls} polls, ${Math.round(result.seconds)} s`,
		);
		if (result.broken !== undefined) console.error(result.broken);
		await next();
	};
	await Promise.all(Array.from({ length: Number(values.workers) }, next));
	const sum = (key: 'states' | 'seconds') =>
		Math.round(results.reduce((total, result) => total + result[key], 0));
	console.log(`${sum('states')} states in all, ${sum('seconds')} s of processor time`);
	return results.every(({ broken }) => broken === undefined);
}

/** Whether each defect is found. */
async function findDefects(): Promise<boolean> {
	let areFound = true;
	for (const defect of defects) {
		const { broken, states } = await withDefect(defect, (folder) => explored(defect.world, folder));
		areFound &&= broken !== undefined;
		const outcome = broken?.split('\n').at(-1) ?? 'NOT FOUND';
		console.log(`${defect.name}: ${outcome} (${defect.world}, ${states} states)`);
	}
	return areFound;
}

async function main(): Promise<boolean> {
	if (values.worker) return await work(values.world ?? '').then(() => true);
	if (values.defects) return await findDefects();
	const { event = '', world = '' } = values;
	return await exploreAll(
		plans.filter((plan) => [plan.event, ''].includes(event) && [plan.name, ''].includes(world)),
	);
}

main().then(
	(isFine) => (process.exitCode = isFine ? 0 : 1),
	(error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	},
);
