/** A contestant's task; every list has 100 records per page. */
export type Task =
	| { kind: 'uploads' | 'backlog'; uploads: number }
	| { kind: 'company' | 'lastUpload' | 'create' | 'refresh'; engagements: number }
	| { kind: 'poll' };

/** Who does the work. */
export type ContestantName =
	| 'node'
	/** With a lower maximum of requests at once. */
	| 'nodeNarrow'
	/** Where On Error stops, so that writes go one after the other. */
	| 'nodeSequential'
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
	/** Time between two uploads in milliseconds. */
	uploadEvery?: number;
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
	/** Shown in the README and its picture. */
	highlight?: boolean;
}

/** Time between uploads by default, so that those within the look-back fit on one page. */
export const BETWEEN_UPLOADS = 120_000;
/** Records per page. */
export const PAGE_SIZE = 100;
/** Maximum number of parallel requests of this node and of undici. */
export const MOST_AT_ONCE = 64;
/** A lower maximum, to see which is best on a slow line. */
export const NARROW = 16;
/** The limit of the works under a limit. */
export const LIMIT: RateLimit = { requests: 100, perMs: 1000 };

/** What a round trip takes on the slow line. */
const ROUND_TRIP_MS = 50;
/** The trigger's defaults: milliseconds, and uploads emitted by one poll. */
const LOOK_BACK = 120 * 60_000;
export const PER_POLL = 1000;

const LISTS: ContestantName[] = ['node', 'httpRequest', 'undici', 'undiciGrowing'];
const ITEMS: ContestantName[] = ['node', 'httpRequest', 'httpRequestBatched', 'undiciGrowing'];
const NODES: ContestantName[] = ['node', 'httpRequest'];
const REMOTE_LISTS: ContestantName[] = ['node', 'nodeNarrow', 'httpRequest', 'undiciGrowing'];
const REMOTE_ITEMS: ContestantName[] = [...REMOTE_LISTS, 'httpRequestBatched'];

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
		contestants: number > 10_000 ? [...NODES, 'undiciGrowing'] : LISTS,
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
		contestants: latencyMs > 0 ? ITEMS : NODES,
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
		contestants: [...ITEMS, 'engine'],
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
function remote(work: Work): Work {
	return {
		...work,
		id: `${work.id}-tls`,
		title: `${work.title}, over TLS`,
		roundTripMs: ROUND_TRIP_MS,
		contestants: work.task.kind === 'uploads' ? REMOTE_LISTS : REMOTE_ITEMS,
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
		contestants: ITEMS,
		expected: engagements,
		warmUp: true,
	};
}

/** The same with the contestant that writes one after the other. */
function besideSequential(work: Work): Work {
	return { ...work, contestants: [...work.contestants, 'nodeSequential'] };
}

/** With its figures in the README. */
function highlighted(work: Work): Work {
	return { ...work, highlight: true };
}

/** Polls of the trigger: a quiet one, one with a large look-back, and a backlog. */
function polling(history: number, window: number): Work[] {
	const common = { contestants: ['trigger' as const], highlight: true };
	return [
		{
			...common,
			id: 'poll-quiet',
			title: `Poll with nothing new, ${count(history)} uploads in the service`,
			task: { kind: 'poll' },
			world: { engagements: 1000, uploads: history },
			latencyMs: 50,
			expected: 0,
			warmUp: true,
		},
		{
			...common,
			id: 'poll-window',
			title: `Poll with nothing new, ${count(window)} uploads within the look-back`,
			task: { kind: 'poll' },
			world: {
				engagements: 1000,
				uploads: window,
				uploadEvery: Math.floor((0.95 * LOOK_BACK) / window),
			},
			latencyMs: 50,
			expected: 0,
			warmUp: true,
		},
		{
			...common,
			id: 'backlog',
			title: `Backlog of ${count(history)} uploads, ${count(PER_POLL)} per poll`,
			task: { kind: 'backlog', uploads: history },
			world: { engagements: 1000, uploads: history },
			latencyMs: 0,
			expected: history,
			warmUp: false,
		},
	];
}

/** All works, or the quick selection. */
export function worksOf(quick: boolean): Work[] {
	if (quick) {
		return [
			highlighted(uploads(10_000, 50)),
			highlighted(company(500, 50)),
			highlighted(lastUploads(1000, 50)),
			highlighted(limited(company(300, 0))),
			highlighted(besideSequential(writes('create', 200, 50))),
			remote(company(100, 0)),
			...polling(5000, 1000),
		];
	}
	return [
		uploads(10_000, 0),
		highlighted(uploads(10_000, 50)),
		uploads(5000, 200),
		uploads(100_000, 0),
		...[0, 50].map((latencyMs) => company(500, latencyMs)),
		company(5000, 0),
		highlighted(company(5000, 50)),
		highlighted(lastUploads(1000, 50)),
		highlighted(limited(company(500, 0))),
		limited(lastUploads(1000, 0)),
		besideSequential(writes('create', 200, 50)),
		besideSequential(writes('refresh', 200, 50)),
		writes('create', 200, 200),
		writes('refresh', 200, 200),
		highlighted(writes('create', 1000, 50)),
		highlighted(writes('refresh', 1000, 50)),
		writes('create', 1000, 200),
		writes('refresh', 1000, 200),
		...[
			uploads(5000, 0),
			company(500, 0),
			lastUploads(1000, 0),
			writes('create', 200, 0),
			writes('refresh', 200, 0),
		].map(remote),
		...polling(100_000, 10_000),
	];
}
