/** A contestant's task; every list has 100 records per page. */
export type Task =
	| { kind: 'uploads' | 'backlog'; uploads: number }
	| { kind: 'company' | 'lastUpload' | 'create' | 'refresh'; engagements: number }
	| { kind: 'emptyPoll' };

/** Who does the work. */
export type ContestantName =
	| 'node'
	/** With a lower maximum of requests at once. */
	| 'nodeNarrow'
	| 'trigger'
	| 'httpRequest'
	/** With its batching set to as many requests at once as this node has. */
	| 'httpRequestBatched'
	| 'undici'
	| 'undiciGrowing'
	/** n8n's engine with a node that only reads its parameter for each item. */
	| 'engine';

/** The contents of the service before the work begins. */
export interface World {
	engagements: number;
	uploads: number;
}

/** The service's rate limit. */
export interface RateLimit {
	requests: number;
	perMs: number;
}

/** One line of the benchmark, run by several contestants. */
export interface Work {
	id: string;
	title: string;
	task: Task;
	world: World;
	/** How long the service takes to answer. */
	latencyMs: number;
	/** Over TLS, on a line where each round trip takes so long, those of handshakes included. */
	roundTripMs?: number;
	rateLimit?: RateLimit;
	contestants: ContestantName[];
	/** Number of records that must arrive. */
	expected: number;
	/** Whether to start with runs that are not measured, without latency; not with many records. */
	warmUp: boolean;
	/** Number of measured runs; that of the command line by default. */
	runs?: number;
}

/** Records per page. */
export const PAGE_SIZE = 100;
/** Maximum number of parallel requests of this node and of undici. */
export const MOST_AT_ONCE = 64;
/** A lower maximum, to see which is best on a slow line. */
export const NARROW = 16;
/** The limit of the works under a limit. */
export const LIMIT: RateLimit = { requests: 100, perMs: 1000 };

const LISTS: ContestantName[] = ['node', 'httpRequest', 'undici', 'undiciGrowing'];
const SINGLES: ContestantName[] = [...LISTS, 'httpRequestBatched'];
const WRITES: ContestantName[] = ['node', 'httpRequest', 'httpRequestBatched', 'undiciGrowing'];
const NODES: ContestantName[] = ['node', 'httpRequest'];

function count(number: number): string {
	return number.toLocaleString('en-GB');
}

function uploads(number: number, latencyMs: number): Work {
	return {
		id: `uploads-${number}-${latencyMs}`,
		title: `${count(number)} uploads in ${count(number / PAGE_SIZE)} pages`,
		task: { kind: 'uploads', uploads: number },
		world: { engagements: 1000, uploads: number },
		latencyMs,
		contestants: number > 10_000 ? NODES : LISTS,
		expected: number,
		warmUp: number <= 10_000,
	};
}

function company(engagements: number, latencyMs: number): Work {
	return {
		id: `company-${engagements}-${latencyMs}`,
		title: `Company details of ${count(engagements)} engagements`,
		task: { kind: 'company', engagements },
		world: { engagements, uploads: 0 },
		latencyMs,
		contestants: latencyMs > 0 ? SINGLES : LISTS,
		expected: engagements,
		warmUp: true,
	};
}

function lastUploads(engagements: number, latencyMs: number): Work {
	return {
		id: `last-${engagements}-${latencyMs}`,
		title: `Last upload of ${count(engagements)} engagements`,
		task: { kind: 'lastUpload', engagements },
		world: { engagements, uploads: engagements },
		latencyMs,
		contestants: [...SINGLES, 'engine'],
		expected: engagements,
		warmUp: true,
	};
}

/** The same under a rate limit, which contestants without rate limiting run into. */
function limited(work: Work): Work {
	return {
		...work,
		id: `${work.id}-limited`,
		title: `${work.title}, at most ${LIMIT.requests} requests a second`,
		rateLimit: LIMIT,
		contestants: NODES,
	};
}

/** The same over TLS and a slow line, in place of a slow service. */
function remote(work: Work, roundTripMs: number): Work {
	return {
		...work,
		id: `${work.id}-tls`,
		title: `${work.title}, over TLS`,
		latencyMs: 0,
		roundTripMs,
		contestants: [...work.contestants, 'nodeNarrow'],
	};
}

function writes(kind: 'create' | 'refresh', engagements: number, latencyMs: number): Work {
	const verb = kind === 'create' ? 'Create' : 'Refresh';
	return {
		id: `${kind}-${engagements}-${latencyMs}`,
		title: `${verb} ${count(engagements)} engagements`,
		task: { kind, engagements },
		world: { engagements: kind === 'create' ? 1 : engagements, uploads: 0 },
		latencyMs,
		contestants: latencyMs > 0 ? WRITES : NODES,
		expected: engagements,
		warmUp: true,
	};
}

function polling(number: number): Work[] {
	const common = {
		world: { engagements: 1000, uploads: number },
		contestants: ['trigger' as const],
	};
	return [
		{
			...common,
			id: 'empty-poll',
			title: `Poll with nothing new, ${count(number)} uploads in the service`,
			task: { kind: 'emptyPoll' },
			latencyMs: 50,
			expected: 0,
			warmUp: true,
		},
		{
			...common,
			id: 'backlog',
			title: `Backlog of ${count(number)} uploads, 1,000 per poll`,
			task: { kind: 'backlog', uploads: number },
			latencyMs: 0,
			expected: number,
			warmUp: false,
			runs: 1,
		},
	];
}

/** All works, or the quick selection. */
export function worksOf(quick: boolean): Work[] {
	if (quick) {
		return [
			uploads(10_000, 50),
			company(500, 50),
			lastUploads(1000, 50),
			limited(company(300, 0)),
			writes('create', 50, 0),
			writes('create', 50, 50),
			remote(uploads(2000, 0), 50),
			...polling(5000),
		];
	}
	return [
		...[0, 50, 200].map((latencyMs) => uploads(10_000, latencyMs)),
		uploads(100_000, 0),
		...[0, 50].map((latencyMs) => company(500, latencyMs)),
		...[0, 50].map((latencyMs) => company(5000, latencyMs)),
		lastUploads(1000, 50),
		limited(company(500, 0)),
		limited(lastUploads(1000, 0)),
		...(['create', 'refresh'] as const).flatMap((kind) =>
			[200, 1000].flatMap((engagements) =>
				[0, 50, 200].map((latencyMs) => writes(kind, engagements, latencyMs)),
			),
		),
		...[uploads(10_000, 50), company(500, 50), lastUploads(1000, 50)].map((work) =>
			remote(work, 50),
		),
		...(['create', 'refresh'] as const).map((kind) => remote(writes(kind, 200, 50), 50)),
		...polling(100_000),
	];
}
