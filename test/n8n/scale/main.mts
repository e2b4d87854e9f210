import { readFile, writeFile } from 'node:fs/promises';
import { readCommandLine } from '../../support/commandLine.mts';
import { withSection } from '../../support/markdown.mts';
import { Queue } from '../queue.mts';
import { makeTemplate, removeTemplate } from '../sandbox.mts';
import { measureKill, type KillPlan } from './killing.mts';
import { measurePolls } from './polling.mts';
import { measureRefreshes, type RefreshPlan } from './refreshing.mts';
import {
	CONCURRENCY,
	killRow,
	limitRow,
	pollRow,
	runRow,
	setting,
	tableOf,
	tokenRow,
	turnedTableOf,
	type Row,
} from './tables.mts';

const COMMAND = {
	name: 'npm run scale',
	purpose: [
		'Measures n8n in queue mode, with Redis and PostgreSQL, and writes the tables of docs/scale.md.',
		'About a quarter of an hour, on a machine that does nothing else.',
	],
	options: {
		quick: {
			type: 'boolean',
			default: false,
			purpose: 'Measure a tenth of it, and write nothing',
		},
	},
} as const;
const DOCUMENT = 'docs/scale.md';

/** Measures one plan after the other. @returns the table of a section, with a row for each plan */
async function measure<P, R>(
	section: string,
	plans: P[],
	measureOne: (plan: P) => Promise<R>,
	rowOf: (plan: P, result: R) => Row,
	tableOfRows = tableOf,
): Promise<[section: string, lines: string[]]> {
	const rows: Row[] = [];
	for (const plan of plans) rows.push(rowOf(plan, await measureOne(plan)));
	const lines = tableOfRows(rows);
	console.log(`\n${section}\n\n${lines.join('\n')}`);
	return [section, lines];
}

/** One poll a minute, of portfolios of several sizes. */
async function measureTrigger(part: number) {
	const most = 1_000_000 / part;
	const plans = [
		{ uploadsPerDay: 10_000, lookback: 120, isFiltered: false },
		{ uploadsPerDay: 100_000, lookback: 120, isFiltered: false },
		{ uploadsPerDay: 100_000, lookback: 120, isFiltered: true },
		{ uploadsPerDay: most, lookback: 120, isFiltered: false },
		{ uploadsPerDay: most, lookback: 10, isFiltered: false },
	];
	return await measure('polls', plans, measurePolls, pollRow);
}

/** What needs n8n as a whole. */
async function measureQueue(queue: Queue, part: number) {
	const all = { engagements: 10_000 / part };
	const batches = { ...all, batchSize: 500 / part };
	const few = { engagements: 900 / part };
	const fewBatches = { ...few, batchSize: 90 / part };
	// As many a minute as a gateway may allow to one subscription.
	const limited = { workers: 2, settings: { rateLimit: { requests: 300 / part, perMs: 15_000 } } };
	// So that tokens expire in the middle of a run.
	const tokens = { tokenLifetimeMs: 2000 };
	const work = { engagements: 2000 / part, batchSize: 100 / part };
	const dying = { ...work, workers: 2, perSecond: 50, seconds: part === 1 ? 40 : 6 };

	const refresh = async (plan: RefreshPlan) => await measureRefreshes(queue, plan);
	const kill = async (plan: KillPlan) => await measureKill(queue, plan);
	const runs: RefreshPlan[] = [
		{ ...all, workers: 1 },
		{ ...batches, workers: 1 },
		{ ...batches, workers: 2 },
		{ ...batches, workers: 4 },
	];
	const limits: RefreshPlan[] = [
		{ ...few, ...limited },
		{ ...fewBatches, ...limited },
		{ ...fewBatches, ...limited, parallelRequests: 2 },
	];
	const expiring: RefreshPlan[] = [
		{ ...fewBatches, workers: 4, settings: tokens },
		{ ...fewBatches, workers: 4, settings: { ...tokens, revokeEarlierTokens: true } },
	];
	const kills: KillPlan[] = [
		{ ...dying, how: 'stopped' },
		{ ...dying, how: 'killed' },
	];
	return [
		await measure('runs', runs, refresh, runRow),
		await measure('tokens', expiring, refresh, tokenRow),
		await measure('limits', limits, refresh, limitRow),
		await measure('kills', kills, kill, killRow, turnedTableOf),
	];
}

async function main(): Promise<void> {
	const { quick } = readCommandLine(COMMAND);
	const part = quick ? 10 : 1;
	const sections = new Map([['setting', setting()], await measureTrigger(part)]);
	const template = await makeTemplate((text) => console.log(text));
	try {
		const queue = await Queue.open(template, { concurrency: CONCURRENCY });
		try {
			for (const [name, lines] of await measureQueue(queue, part)) sections.set(name, lines);
		} finally {
			await queue.close();
		}
	} finally {
		removeTemplate(template);
	}
	if (quick) return;
	let document = await readFile(DOCUMENT, 'utf8');
	for (const [name, lines] of sections) document = withSection(document, name, lines);
	await writeFile(DOCUMENT, document);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});
