import type { Figures, Result } from './measure.mts';
import type { ContestantName } from './works.mts';

/** What the project says of itself, held against what was measured. */
export interface Claim {
	claim: string;
	measured: string;
	holds: boolean;
}

type Lookup = (work: string, contestant?: ContestantName) => Figures | undefined;

/** The claims on those works that were measured. */
export function claimsOf(results: Result[]): Claim[] {
	const find: Lookup = (work, contestant = 'node') =>
		results.find((result) => result.work.id === work && result.contestant === contestant)?.median;
	return [
		...pages(find),
		...lastUploads(find),
		...company(find, 'company-5000-50', 1),
		...company(find, 'company-500-50', 1.25),
		...results
			.filter(({ work, contestant }) => work.rateLimit && contestant === 'node')
			.flatMap(limit),
		...results
			.filter(({ contestant }) => contestant === 'node')
			.flatMap((result) => cpu(result, find)),
		...memory(find),
		...trigger(find),
	];
}

function pages(find: Lookup): Claim[] {
	const work = 'uploads-10000-50';
	const [node, http, undici, growing] = [
		find(work),
		find(work, 'httpRequest'),
		find(work, 'undici'),
		find(work, 'undiciGrowing'),
	];
	if (!node || !http || !undici || !growing) return [];
	const title = '100 pages at 50 ms';
	return [
		atLeast(
			`${title}: at least 8 times faster than the HTTP Request node`,
			http.wallMs / node.wallMs,
			8,
		),
		atMost(
			`${title}: at most 1.2 times as long as undici, 64 at once`,
			node.wallMs / undici.wallMs,
			1.2,
		),
		atMost(
			`${title}: at most 1.2 times as long as undici, as many at once as this node`,
			node.wallMs / growing.wallMs,
			1.2,
		),
	];
}

function lastUploads(find: Lookup): Claim[] {
	const work = 'last-1000-50';
	const [node, http] = [find(work), find(work, 'httpRequest')];
	if (!node || !http) return [];
	const title = 'Last upload of 1,000 engagements';
	return [
		{
			claim: `${title}: 10 requests`,
			measured: String(node.requests),
			holds: node.requests === 10,
		},
		atLeast(
			`${title}: at least 10 times faster than the HTTP Request node`,
			http.wallMs / node.wallMs,
			10,
		),
	];
}

function company(find: Lookup, work: string, most: number): Claim[] {
	const [node, http] = [find(work), find(work, 'httpRequest')];
	if (!node || !http) return [];
	const [, engagements, latency] = work.split('-');
	const title = `Company details of ${Number(engagements).toLocaleString('en-GB')} at ${latency} ms`;
	return [
		atMost(
			`${title}: at most ${most} times as long as the HTTP Request node`,
			node.wallMs / http.wallMs,
			most,
		),
		{
			claim: `${title}: never more than 64 requests at once (HTTP Request node: ${http.mostAtOnce})`,
			measured: String(node.mostAtOnce),
			holds: node.mostAtOnce <= 64,
		},
	];
}

/** As long as the limit makes these requests last: the first lot at once, then one lot per period. */
function allowedMs({ work, median: { requests, refused } }: Result): number {
	const { requests: lot, perMs } = work.rateLimit ?? { requests: Infinity, perMs: 0 };
	return (Math.ceil((requests - refused) / lot) - 1) * perMs;
}

function limit(result: Result): Claim[] {
	const { work, runs, median: node } = result;
	const lost = Math.max(...runs.map((run) => run.lost));
	const tooEarly = Math.max(...runs.map((run) => run.tooEarly));
	const allowed = allowedMs(result);
	return [
		{ claim: `${work.title}: everything arrives`, measured: `${lost} lost`, holds: lost === 0 },
		{
			claim: `${work.title}: nothing is sent during a Retry-After`,
			measured: `${tooEarly} sent`,
			holds: tooEarly === 0,
		},
		...(allowed > 0
			? [
					atMost(
						`${work.title}: at most 1.2 times as long as the limit makes it last`,
						node.wallMs / allowed,
						1.2,
					),
				]
			: []),
	];
}

function cpu({ work, median: node }: Result, find: Lookup): Claim[] {
	const http = find(work.id, 'httpRequest');
	// Under a limit most of the HTTP Request node's time brings no record.
	if (http === undefined || work.rateLimit !== undefined) return [];
	const ratio = node.cpuMs / node.records / (http.cpuMs / http.records);
	const title = `${work.title} at ${work.latencyMs} ms`;
	return [atMost(`${title}: CPU per record not above the HTTP Request node's`, ratio, 1)];
}

function memory(find: Lookup): Claim[] {
	const [node, http] = [find('uploads-100000-0'), find('uploads-100000-0', 'httpRequest')];
	if (!node || !http) return [];
	const claim = "100,000 records: peak memory below the HTTP Request node's";
	return [atMost(claim, node.peakBytes / http.peakBytes, 1)];
}

function trigger(find: Lookup): Claim[] {
	const [empty, backlog] = [find('empty-poll', 'trigger'), find('backlog', 'trigger')];
	if (!empty || !backlog) return [];
	return [
		{
			claim: 'A poll with nothing new costs one request, however long the history',
			measured: String(empty.requests),
			holds: empty.requests === 1,
		},
		{
			claim: 'A back-log is emitted whole, each upload once',
			measured: `${backlog.lost} lost`,
			holds: backlog.lost === 0,
		},
	];
}

function atLeast(claim: string, ratio: number, least: number): Claim {
	return { claim, measured: ratio.toFixed(2), holds: ratio >= least };
}

function atMost(claim: string, ratio: number, most: number): Claim {
	return { claim, measured: ratio.toFixed(2), holds: ratio <= most };
}
