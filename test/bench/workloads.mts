import type { IDataObject } from 'n8n-workflow';

/** What runs a workload. */
export type ContestantName =
	| 'node'
	| 'trigger'
	| 'httpRequest'
	/** With batches as large as this node's maximum of parallel requests. */
	| 'httpRequestBatched';

/** One workload of the benchmark, run by several contestants. */
export interface Workload {
	kind: 'uploads' | 'company' | 'lastUpload' | 'create' | 'refresh' | 'poll' | 'backlog';
	title: string;
	/** Number of records that must arrive. */
	count: number;
	/** How long the service takes to answer. */
	latencyMs: number;
	rateLimit: { requests: number; perMs: number } | null;
	/** The contents of the service before the run. */
	engagements: number;
	uploads: number;
	/** Time between two uploads in milliseconds. */
	uploadEvery: number;
	contestants: ContestantName[];
}

/** Records per page of a list: this node's default, and what HTTP Request asks for. */
export const PAGE_SIZE = 500;
/** Maximum number of parallel requests of this node. */
export const MAX_PARALLEL = 64;
/** The trigger's default for the maximum number of uploads per poll. */
const PER_POLL = 1000;
/** The trigger's default look-back in milliseconds. */
const LOOK_BACK = 120 * 60_000;
/** Those within the look-back fit on one page of a poll. */
export const BETWEEN_UPLOADS = 120_000;

const TITLES = {
	company: 'Company details of',
	lastUpload: 'Last upload of',
	create: 'Create',
	refresh: 'Refresh',
};

function inWords(number: number): string {
	return number.toLocaleString('en-GB');
}

const DEFAULTS = { rateLimit: null, uploads: 0, engagements: 1000, uploadEvery: BETWEEN_UPLOADS };

function list(count: number, latencyMs: number): Workload {
	const title = `${inWords(count)} uploads in ${inWords(count / PAGE_SIZE)} pages`;
	const contestants: ContestantName[] = ['node', 'httpRequest'];
	return { ...DEFAULTS, kind: 'uploads', title, count, latencyMs, uploads: count, contestants };
}

/** A workload with an item for each engagement. */
function items(kind: keyof typeof TITLES, count: number, latencyMs: number): Workload {
	return {
		...DEFAULTS,
		kind,
		title: `${TITLES[kind]} ${inWords(count)} engagements`,
		count,
		latencyMs,
		engagements: count,
		uploads: kind === 'lastUpload' ? count : 0,
		contestants: ['node', 'httpRequest', ...(latencyMs > 0 ? ['httpRequestBatched' as const] : [])],
	};
}

/** Under a rate limit, which HTTP Request does not know. */
function limited(count: number): Workload {
	const work = items('company', count, 0);
	const rateLimit = { requests: 100, perMs: 1000 };
	return { ...work, title: `${work.title}, at most 100 requests a second`, rateLimit };
}

/** Polls of the trigger: a quiet one, one with a large look-back, and a backlog. */
function polls(history: number, window: number): Workload[] {
	const poll: Workload = {
		...DEFAULTS,
		kind: 'poll',
		title: `Poll with nothing new, ${inWords(history)} uploads in the service`,
		count: 0,
		latencyMs: 50,
		uploads: history,
		contestants: ['trigger'],
	};
	return [
		poll,
		{
			...poll,
			title: `Poll with nothing new, ${inWords(window)} uploads within the look-back`,
			uploads: window,
			uploadEvery: Math.floor((0.95 * LOOK_BACK) / window),
		},
		{
			...poll,
			kind: 'backlog',
			title: `Backlog of ${inWords(history)} uploads, ${inWords(PER_POLL)} per poll`,
			count: history,
			latencyMs: 0,
		},
	];
}

/** All workloads, or the quick selection. */
export function workloadsOf(quick: boolean): Workload[] {
	if (quick) {
		const some = [list(50_000, 50), items('company', 500, 50), items('lastUpload', 1000, 50)];
		return [...some, limited(300), items('create', 200, 50), ...polls(5000, 1000)];
	}
	return [
		list(10_000, 0),
		list(50_000, 50),
		list(100_000, 0),
		list(1_000_000, 0),
		...[500, 5000].flatMap((count) => [items('company', count, 0), items('company', count, 50)]),
		items('lastUpload', 1000, 50),
		limited(500),
		...[200, 1000].flatMap((count) => [items('create', count, 50), items('refresh', count, 50)]),
		...polls(100_000, 10_000),
	];
}

/**
 * The number of requests that a backlog may cost, as the package promises: each poll reads at most
 * twice what it emits, plus the look-back and a day.
 */
export function backlogRequests(polls: number): number {
	const rereadMs = (24 + 2 + 1) * 3_600_000;
	// The trigger's pages have 100 uploads by default.
	return polls * Math.ceil((2 * PER_POLL + rereadMs / BETWEEN_UPLOADS) / 100);
}

/** The connector that is refreshed. */
export const CONNECTOR = 'connector-a';

/** The input items: one per engagement, or a single one for a list. */
export function itemsOf({ kind, count }: Workload): IDataObject[] {
	if (kind === 'uploads') return [{}];
	return Array.from({ length: count }, (_, index) => ({
		engagementId: index + 1,
		name: `New company ${index + 1}`,
	}));
}
