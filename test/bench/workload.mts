/** A contestant's task. */
export type Task =
	| { kind: 'uploads' | 'backlog'; uploads: number }
	| { kind: 'company' | 'lastUpload' | 'create' | 'refresh'; engagements: number }
	| { kind: 'poll' };

/** What runs a workload. */
export type ContestantName =
	| 'node'
	/** With On Error: Stop, so that writes run sequentially. */
	| 'nodeSequential'
	| 'trigger'
	| 'httpRequest'
	/** With batches as large as this node's maximum of parallel requests. */
	| 'httpRequestBatched'
	/** With this node's concurrency. */
	| 'undici';

/** The contents of the service before the run. */
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

/** One workload of the benchmark, run by several contestants. */
export interface Workload {
	id: string;
	title: string;
	task: Task;
	world: World;
	/** How long the service takes to answer. */
	latencyMs: number;
	rateLimit?: RateLimit;
	contestants: ContestantName[];
	/** Number of records that must arrive. */
	expected: number;
	/** Whether to start with unmeasured runs without latency; not for many records. */
	warmUp: boolean;
	/** Shown in the picture. */
	highlight?: boolean;
}

/** Time between uploads by default, so that those within the look-back fit on one page. */
export const BETWEEN_UPLOADS = 120_000;
/** Records per page of a list: this node's default, and what the other contestants ask for. */
export const PAGE_SIZE = 500;
/** Records per page of a poll: the trigger's default. */
export const POLL_PAGE_SIZE = 100;
/** Maximum number of parallel requests of this node and of undici. */
export const MAX_PARALLEL = 64;
/** The rate limit of limited workloads. */
export const LIMIT: RateLimit = { requests: 100, perMs: 1000 };
/** The trigger's default for the maximum number of uploads per poll. */
export const PER_POLL = 1000;
