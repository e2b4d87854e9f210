/* The tables of docs/scale.md. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { table } from '../../support/markdown.mts';
import type { EmissionResult } from './emitting.mts';
import type { Counts, KillResult } from './killing.mts';
import type { PollResult } from './polling.mts';
import type { Usage } from './processes.mts';
import type { RefreshResult } from './refreshing.mts';
import type { Division } from './workflows.mts';
import { CONCURRENCY, LATENCY } from './world.mts';

const DIVISIONS: Record<Division, string> = {
	none: 'One execution, no loop',
	loop: 'One execution, Loop Over Items',
	subWorkflows: 'Loop Over Items, a sub-workflow per batch',
	executions: 'Loop Over Items, an execution per batch',
};

/** The machine and what runs on it, in one sentence. */
export function setting(): string[] {
	const [cpu] = os.cpus();
	const memory = `${Math.round(os.totalmem() / 2 ** 30)} GB`;
	const manifest = readFileSync('test/n8n/.installed/node_modules/n8n/package.json', 'utf8');
	const n8n: { version: string } = JSON.parse(manifest);
	const versionOf = (command: string, args: string[], form: RegExp) =>
		form.exec(execFileSync(command, args, { encoding: 'utf8' }))?.[1] ?? '?';
	const redis = versionOf('redis-server', ['--version'], /v=(\S+)/);
	const postgres = versionOf('psql', ['--version'], /\) (\S+)/);
	return [
		`Machine: ${os.cpus().length} cores (${cpu?.model ?? os.arch()}), ${memory}, for all processes and the simulated service together. n8n ${n8n.version}, Redis ${redis}, PostgreSQL ${postgres} (n8n recommends later ones), ${CONCURRENCY} executions at once per worker (n8n's default). The service takes ${LATENCY} ms for a request.`,
	];
}

export function runTable(results: RefreshResult[]): string[] {
	return table(
		[
			'Run',
			'Workers',
			'Time',
			'Refreshes/s',
			'Refreshed once, twice',
			'Cores that the workers used',
		],
		results.map(({ plan, seconds, once, twice, usage }) => [
			DIVISIONS[plan.division],
			String(plan.workers),
			`${seconds.toFixed(0)} s`,
			(plan.engagements / seconds).toFixed(0),
			`${count(once)}, ${twice}`,
			busyCores(usage, seconds),
		]),
	);
}

export function limitTable(results: RefreshResult[]): string[] {
	return table(
		['Run', 'Parallel Requests', 'Time', 'Rejected (429)', 'Refreshed', 'Failed items'],
		results.map(({ plan, seconds, limited, once }) => [
			DIVISIONS[plan.division],
			String(plan.parallelRequests ?? 64),
			`${seconds.toFixed(0)} s`,
			count(limited),
			count(once),
			count(plan.engagements - once),
		]),
	);
}

export function tokenTable(results: RefreshResult[]): string[] {
	return table(
		['A new token', 'Workers', 'Tokens fetched', 'Rejected (401)', 'Refreshed once, twice'],
		results.map(({ plan, tokens, unauthorised, once, twice }) => [
			plan.settings?.revokeEarlierTokens ? 'revokes the earlier ones' : 'leaves earlier ones valid',
			String(plan.workers),
			String(tokens),
			String(unauthorised),
			`${count(once)}, ${twice}`,
		]),
	);
}

export function emissionTable(results: EmissionResult[]): string[] {
	return table(
		['Workers', 'Uploads', 'Processed once, twice', 'Executions', 'Delay: median, longest'],
		results.map(({ plan, once, twice, executions, lagMs }) => [
			String(plan.workers),
			count(plan.perSecond * plan.seconds),
			`${count(once)}, ${twice}`,
			String(executions),
			`${(lagMs.median / 1000).toFixed(1)} s, ${(lagMs.longest / 1000).toFixed(1)} s`,
		]),
	);
}

export function killTable(results: KillResult[]): string[] {
	const counts = ({ never, once, more }: Counts) => [once, more, never].map(count).join(', ');
	const rows: Array<[string, (result: KillResult) => string]> = [
		['Executions that n8n marked as failed', ({ failed }) => count(failed)],
		['of these, the error workflow was started for', ({ reported }) => count(reported)],
		[
			'n8n marked them after',
			(each) => (each.failed > 0 ? `${each.noticedAfterSeconds.toFixed(0)} s` : '–'),
		],
		['Engagements refreshed once, twice, not', ({ refreshed }) => counts(refreshed)],
		['Uploads processed once, twice, not', ({ processed }) => counts(processed)],
		['Not done, though not in a failed execution', ({ unaccounted }) => count(unaccounted)],
		[
			'Engagements refreshed once, twice, not, after the run was started again',
			({ refreshedAfterwards }) => counts(refreshedAfterwards),
		],
	];
	return table(
		['', ...results.map(({ plan }) => `The worker is ${plan.how}`)],
		rows.map(([name, cell]) => [name, ...results.map(cell)]),
	);
}

export function pollTable(results: PollResult[]): string[] {
	return table(
		[
			'Uploads a day',
			'Look-Back',
			'Filter',
			'Emitted by a poll',
			'In the window',
			'Requests',
			'CPU',
			'State',
		],
		results.map(({ plan, emitted, inWindow, requests, cpuMs, stateBytes }) => [
			count(plan.uploadsPerDay),
			`${plan.lookback} min`,
			plan.isFiltered ? 'a quarter' : 'none',
			...[emitted, inWindow, requests].map(count),
			`${(cpuMs / 1000).toFixed(2)} s`,
			megabytes(stateBytes),
		]),
	);
}

const PORTFOLIOS = [10_000, 100_000, 1_000_000, 3_000_000, 10_000_000];
/** Minutes between two polls, and the option Look-Back in minutes. */
const WAYS = [
	[1, 120],
	[1, 10],
	[5, 10],
] as const;
const PAGE = 500;

/** What one trigger needs for larger and larger portfolios, computed from the largest that was measured. */
export function portfolioTable(results: PollResult[]): string[] {
	const largest = results.reduce((a, b) => (b.inWindow > a.inWindow ? b : a));
	const perUpload = (figure: number) => figure / largest.inWindow;
	const overhead = (largest.requests * PAGE) / largest.inWindow;
	return table(
		[
			'Uploads a day',
			'A minute',
			...WAYS.map(
				([every, lookback]) =>
					`Requests a minute: Look-Back ${lookback}, polls every ${every === 1 ? 'minute' : `${every} minutes`}`,
			),
			'State, CPU of a poll: Look-Back 120',
			'Look-Back 10',
		],
		PORTFOLIOS.map((perDay) => {
			const perMinute = perDay / (24 * 60);
			const inWindow = (every: number, lookback: number) => perMinute * (lookback + 60 + every);
			const requestsAMinute = ([every, lookback]: (typeof WAYS)[number]) =>
				Math.max(1, Math.ceil((inWindow(every, lookback) / PAGE) * overhead)) / every;
			const costs = (lookback: number) =>
				`${megabytes(perUpload(largest.stateBytes) * inWindow(1, lookback))}, ${(
					(perUpload(largest.cpuMs) * inWindow(1, lookback)) /
					1000
				).toFixed(1)} s`;
			return [
				count(perDay),
				count(Math.round(perMinute)),
				...WAYS.map((way) => requestsAMinute(way).toFixed(way[0] === 1 ? 0 : 1)),
				costs(120),
				costs(10),
			];
		}),
	);
}

const PROCESSES = ['main', 'worker 1', 'PostgreSQL', 'Redis'];

/** What each process needs; `idle` is what it has needed once it has started, with nothing to do. */
export function costTable(
	idle: ReadonlyMap<string, Usage>,
	runs: RefreshResult[],
	emissions: EmissionResult[],
): string[] {
	const used = [idle, ...[...runs, ...emissions].map(({ usage }) => usage)];
	/** CPU time for a thousand, by everything whose name starts so. */
	const cpuPerThousand = (
		name: string,
		results: Array<{ usage: ReadonlyMap<string, Usage> }>,
		things: number,
	) => {
		const all = results.flatMap(({ usage }) =>
			[...usage].filter(([each]) => each.startsWith(name)),
		);
		const cpuMs = all.reduce((sum, [, each]) => sum + each.cpuMs, 0);
		return `${(cpuMs / things).toFixed(1)} s`;
	};
	const refreshes = runs.reduce((sum, { plan }) => sum + plan.engagements, 0);
	const uploads = emissions.reduce((sum, { plan }) => sum + plan.perSecond * plan.seconds, 0);
	return table(
		[
			'Process',
			'Memory, started',
			'Memory, at most',
			'CPU for 1,000 refreshes',
			'CPU for 1,000 uploads',
		],
		PROCESSES.map((name) => {
			const isWorker = name.startsWith('worker');
			const peak = Math.max(...used.map((usage) => usage.get(name)?.peakBytes ?? 0));
			const prefix = isWorker ? 'worker' : name;
			return [
				isWorker ? 'a worker (CPU: all workers)' : name,
				megabytes(idle.get(name)?.peakBytes ?? NaN),
				megabytes(peak),
				cpuPerThousand(prefix, runs, refreshes),
				cpuPerThousand(prefix, emissions, uploads),
			];
		}),
	);
}

/** How busy the workers were together, in processor cores. */
function busyCores(usage: ReadonlyMap<string, Usage>, seconds: number): string {
	const workers = [...usage].filter(([name]) => name.startsWith('worker'));
	return (workers.reduce((sum, [, { cpuMs }]) => sum + cpuMs, 0) / 1000 / seconds).toFixed(1);
}

function count(value: number): string {
	return value.toLocaleString('en-GB');
}

function megabytes(bytes: number): string {
	return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
