/* The tables of docs/scale.md. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { table } from '../../support/markdown.mts';
import type { Counts, KillPlan, KillResult } from './killing.mts';
import type { PollPlan, PollResult } from './polling.mts';
import { LATENCY, type RefreshPlan, type RefreshResult } from './refreshing.mts';

/** n8n's default. */
export const CONCURRENCY = 10;

/** The cells of a row, by column. */
export type Row = Record<string, string | number>;

/** A table with the columns of the first row. */
export function tableOf(rows: Row[]): string[] {
	return table(Object.keys(rows[0] ?? {}), rows.map(cellsOf));
}

/** The same table with a line for each column, for few rows with long names of columns. */
export function turnedTableOf(rows: Row[]): string[] {
	const [head = [], ...lines] = Object.keys(rows[0] ?? {}).map((name, index) => [
		name,
		...rows.map((row) => cellsOf(row)[index] ?? ''),
	]);
	return table(head, lines);
}

function cellsOf(row: Row): string[] {
	return Object.values(row).map((cell) => (typeof cell === 'number' ? count(cell) : cell));
}

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

export function runRow(plan: RefreshPlan, { seconds, once, twice }: RefreshResult): Row {
	return {
		Run: nameOf(plan),
		Workers: plan.workers,
		Time: `${seconds.toFixed(0)} s`,
		'Refreshes/s': Math.round(plan.engagements / seconds),
		'Refreshed once, twice': `${count(once)}, ${twice}`,
	};
}

export function limitRow(plan: RefreshPlan, { seconds, limited, once }: RefreshResult): Row {
	return {
		Run: nameOf(plan),
		'Parallel Requests': plan.parallelRequests ?? 64,
		Time: `${seconds.toFixed(0)} s`,
		'Rejected (429)': limited,
		Refreshed: once,
		'Failed items': plan.engagements - once,
	};
}

export function tokenRow(plan: RefreshPlan, result: RefreshResult): Row {
	const isRevoking = plan.settings?.revokeEarlierTokens;
	return {
		'A new token': isRevoking ? 'revokes the earlier ones' : 'leaves earlier ones valid',
		Workers: plan.workers,
		'Tokens fetched': result.tokens,
		'Rejected (401)': result.unauthorised,
		'Refreshed once, twice': `${count(result.once)}, ${result.twice}`,
	};
}

export function killRow({ how }: KillPlan, result: KillResult): Row {
	const counts = ({ never, once, more }: Counts) => [once, more, never].map(count).join(', ');
	const { failed, noticedAfterSeconds } = result;
	return {
		'The worker is': how,
		'Executions that n8n marked as failed': failed,
		'of these, the error workflow was started for': result.reported,
		'n8n marked them after': failed > 0 ? `${noticedAfterSeconds.toFixed(0)} s` : '–',
		'Engagements refreshed once, twice, not': counts(result.refreshed),
		'Uploads processed once, twice, not': counts(result.processed),
		'Not done, though not in a failed execution': result.unaccounted,
		'Engagements refreshed once, twice, not, after the run was started again': counts(
			result.refreshedAfterwards,
		),
	};
}

export function pollRow(plan: PollPlan, result: PollResult): Row {
	const { stateBytes } = result;
	return {
		'Uploads a day': plan.uploadsPerDay,
		'Look-Back': `${plan.lookback} min`,
		Filter: plan.isFiltered ? 'a quarter' : 'none',
		'Emitted by a poll': result.emitted,
		'In the window': result.inWindow,
		Requests: result.requests,
		CPU: `${(result.cpuMs / 1000).toFixed(2)} s`,
		State: `${(stateBytes / 1e6).toFixed(stateBytes < 1e7 ? 1 : 0)} MB`,
	};
}

function nameOf({ batchSize }: RefreshPlan): string {
	return batchSize === undefined
		? 'One execution, no loop'
		: 'Loop Over Items, an execution per batch';
}

function count(value: number): string {
	return value.toLocaleString('en-GB');
}
