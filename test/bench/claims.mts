import { backlogRequests, figuresOf, limitOf } from './limits.mts';
import type { Figures, Result } from './measure.mts';
import { MAX_PARALLEL, type ContestantName } from './workload.mts';

/** The project's claims, checked against the measurements. */
export interface Claim {
	claim: string;
	measured: string;
	holds: boolean;
}

type Lookup = (work: string, contestant?: ContestantName) => Figures | undefined;

/** The claims about the workloads that were measured. */
export function claimsOf(results: Result[]): Claim[] {
	const find: Lookup = (work, contestant = 'node') => figuresOf(results, work, contestant);
	const own = results.filter(({ contestant }) => contestant === 'node');
	return [
		...pages(find),
		...lastUploads(find),
		...own.flatMap((result) => nearLimit(result, results)),
		...own.filter(({ work }) => work.task.kind === 'company').flatMap(atOnce),
		...own.filter(({ work }) => work.rateLimit).flatMap(underLimit),
		...own.flatMap((result) => parallelWrites(result, find)),
		...own.flatMap((result) => cpu(result, find)),
		...memory(find),
		...trigger(results),
	];
}

function pages(find: Lookup): Claim[] {
	const [node, http] = [find('uploads-50000-50'), find('uploads-50000-50', 'httpRequest')];
	if (!node || !http) return [];
	const claim = '100 pages at 50 ms: at least 8 times faster than HTTP Request';
	return [atLeast(claim, http.wallMs / node.wallMs, 8)];
}

function lastUploads(find: Lookup): Claim[] {
	const [node, http] = [find('last-1000-50'), find('last-1000-50', 'httpRequest')];
	if (!node || !http) return [];
	const work = 'Last upload of 1,000 engagements';
	return [
		{
			claim: `${work}: 10 requests`,
			measured: String(node.requests),
			holds: node.requests === 10,
		},
		atLeast(
			`${work} at 50 ms: at least twice as fast as HTTP Request, which sends all requests at once`,
			http.wallMs / node.wallMs,
			2,
		),
	];
}

/** Maximum ratio of the wall time to its limit, by workload. */
const MAX_RATIO_TO_LIMIT = new Map([['company-500-0-limited', 1.2]]);

function nearLimit(result: Result, results: Result[]): Claim[] {
	const { work, median } = result;
	const most = MAX_RATIO_TO_LIMIT.get(work.id);
	const limit = limitOf(result, results);
	if (most === undefined || limit === undefined) return [];
	const claim = `${nameOf(result)}: at most ${most} times its limit (${limit.reason})`;
	return [atMost(claim, median.wallMs / limit.ms, most)];
}

function atOnce(result: Result): Claim[] {
	const { mostAtOnce } = result.median;
	const claim = `${nameOf(result)}: never more than ${MAX_PARALLEL} requests at once`;
	return [{ claim, measured: String(mostAtOnce), holds: mostAtOnce <= MAX_PARALLEL }];
}

function underLimit({ work, runs }: Result): Claim[] {
	const lost = Math.max(...runs.map((run) => run.lost));
	const tooEarly = Math.max(...runs.map((run) => run.tooEarly));
	return [
		{ claim: `${work.title}: everything arrives`, measured: `${lost} lost`, holds: lost === 0 },
		{
			claim: `${work.title}: nothing is sent during a Retry-After`,
			measured: `${tooEarly} sent`,
			holds: tooEarly === 0,
		},
	];
}

/** Parallel writes, compared with sequential ones. */
function parallelWrites(result: Result, find: Lookup): Claim[] {
	const sequential = find(result.work.id, 'nodeSequential');
	if (sequential === undefined) return [];
	const claim = `${nameOf(result)}: On Error: Continue is at least 8 times faster than Stop, which writes sequentially`;
	return [atLeast(claim, sequential.wallMs / result.median.wallMs, 8)];
}

function cpu(result: Result, find: Lookup): Claim[] {
	const { work, median: node } = result;
	const http = find(work.id, 'httpRequest');
	// Single reads cost more than HTTP Request's, since they are checked, retried and paced.
	if (http === undefined || work.task.kind !== 'uploads') return [];
	const ratio = node.cpuMs / node.records / (http.cpuMs / http.records);
	return [
		atMost(`${nameOf(result)}: CPU per record at most 1.1 times that of HTTP Request`, ratio, 1.1),
	];
}

function memory(find: Lookup): Claim[] {
	const [node, http] = [find('uploads-100000-0'), find('uploads-100000-0', 'httpRequest')];
	if (!node || !http) return [];
	const claim = "100,000 records: peak memory no higher than HTTP Request's";
	return [atMost(claim, node.peakBytes / http.peakBytes, 1)];
}

function trigger(results: Result[]): Claim[] {
	const polls = results.filter(({ contestant }) => contestant === 'trigger');
	return polls.flatMap((result) => {
		const { median, work } = result;
		if (work.id === 'poll-quiet') {
			const claim = 'A poll with nothing new costs one request, however long the history';
			return [{ claim, measured: String(median.requests), holds: median.requests === 1 }];
		}
		if (work.id !== 'backlog') return [];
		const most = backlogRequests(result);
		return [
			{
				claim: 'A backlog is emitted completely, each upload once',
				measured: `${median.lost} lost`,
				holds: median.lost === 0,
			},
			{
				claim:
					'In a backlog, a poll reads about twice what it emits, plus the look-back and a day, and at most a tenth more',
				measured: `${median.requests} of ${most} requests`,
				holds: median.requests <= most * 1.1,
			},
		];
	});
}

function nameOf({ work: { title, latencyMs } }: Result): string {
	return `${title} at ${latencyMs} ms`;
}

function atLeast(claim: string, ratio: number, least: number): Claim {
	return { claim, measured: ratio.toFixed(2), holds: ratio >= least };
}

function atMost(claim: string, ratio: number, most: number): Claim {
	return { claim, measured: ratio.toFixed(2), holds: ratio <= most };
}
