import {
	LIMIT,
	PAGE_SIZE,
	PER_POLL,
	type ContestantName,
	type Workload,
	type World,
} from './workload.mts';

/** The trigger's default look-back in milliseconds. */
const LOOK_BACK = 120 * 60_000;

const LISTS: ContestantName[] = ['node', 'httpRequest', 'undici'];
const ITEMS: ContestantName[] = ['node', 'httpRequest', 'httpRequestBatched', 'undici'];
const NODES: ContestantName[] = ['node', 'httpRequest'];

const ITEM_KINDS = {
	company: { id: 'company', title: 'Company details of' },
	lastUpload: { id: 'last', title: 'Last upload of' },
	create: { id: 'create', title: 'Create' },
	refresh: { id: 'refresh', title: 'Refresh' },
};
type ItemKind = keyof typeof ITEM_KINDS;

function count(number: number): string {
	return number.toLocaleString('en-GB');
}

function uploads(number: number, latencyMs: number): Workload {
	return {
		id: `uploads-${number}-${latencyMs}`,
		title: `${count(number)} uploads in ${count(number / PAGE_SIZE)} pages`,
		task: { kind: 'uploads', uploads: number },
		world: { engagements: 1000, uploads: number },
		latencyMs,
		contestants: LISTS,
		expected: number,
		warmUp: number <= 50_000,
	};
}

/** A workload with an item for each engagement. */
function perEngagement(kind: ItemKind, engagements: number, latencyMs: number): Workload {
	const { id, title } = ITEM_KINDS[kind];
	return {
		id: `${id}-${engagements}-${latencyMs}`,
		title: `${title} ${count(engagements)} engagements`,
		task: { kind, engagements },
		world: { engagements, uploads: 0 },
		latencyMs,
		contestants: ITEMS,
		expected: engagements,
		warmUp: true,
	};
}

function company(engagements: number, latencyMs: number): Workload {
	const work = perEngagement('company', engagements, latencyMs);
	return latencyMs > 0 ? work : { ...work, contestants: NODES };
}

function lastUploads(engagements: number, latencyMs: number): Workload {
	return {
		...perEngagement('lastUpload', engagements, latencyMs),
		world: { engagements, uploads: engagements },
	};
}

function creates(engagements: number, latencyMs: number): Workload {
	return {
		...perEngagement('create', engagements, latencyMs),
		world: { engagements: 1, uploads: 0 },
	};
}

/** The same under a rate limit, which contestants without rate limiting run into. */
function limited(work: Workload): Workload {
	return {
		...work,
		id: `${work.id}-limited`,
		title: `${work.title}, at most ${LIMIT.requests} requests a second`,
		rateLimit: LIMIT,
		contestants: NODES,
	};
}

/** The same with an additional contestant, which writes sequentially. */
function besideSequential(work: Workload): Workload {
	return { ...work, contestants: [...work.contestants, 'nodeSequential'] };
}

/** The same, shown in the picture. */
function highlighted(work: Workload): Workload {
	return { ...work, highlight: true };
}

/** A poll that emits nothing, as most do. */
function quietPoll(id: string, history: string, world: World): Workload {
	return {
		id,
		title: `Poll with nothing new, ${history}`,
		task: { kind: 'poll' },
		world,
		latencyMs: 50,
		contestants: ['trigger'],
		expected: 0,
		warmUp: true,
	};
}

function backlog(uploads: number): Workload {
	return {
		id: 'backlog',
		title: `Backlog of ${count(uploads)} uploads, ${count(PER_POLL)} per poll`,
		task: { kind: 'backlog', uploads },
		world: { engagements: 1000, uploads },
		latencyMs: 0,
		contestants: ['trigger'],
		expected: uploads,
		warmUp: false,
	};
}

/** Polls of the trigger: a quiet one, one with a large look-back, and a backlog. */
function polling(history: number, window: number): Workload[] {
	const world = { engagements: 1000, uploads: history };
	const uploadEvery = Math.floor((0.95 * LOOK_BACK) / window);
	const recent = { engagements: 1000, uploads: window, uploadEvery };
	return [
		quietPoll('poll-quiet', `${count(history)} uploads in the service`, world),
		quietPoll('poll-window', `${count(window)} uploads within the look-back`, recent),
		backlog(history),
	].map(highlighted);
}

/** All workloads, or the quick selection. */
export function workloadsOf(quick: boolean): Workload[] {
	if (quick) {
		return [
			highlighted(uploads(50_000, 50)),
			highlighted(company(500, 50)),
			highlighted(lastUploads(1000, 50)),
			highlighted(limited(company(300, 0))),
			highlighted(besideSequential(creates(200, 50))),
			...polling(5000, 1000),
		];
	}
	return [
		uploads(10_000, 0),
		highlighted(uploads(50_000, 50)),
		uploads(100_000, 0),
		uploads(1_000_000, 0),
		...[0, 50].map((latencyMs) => company(500, latencyMs)),
		company(5000, 0),
		highlighted(company(5000, 50)),
		highlighted(lastUploads(1000, 50)),
		highlighted(limited(company(500, 0))),
		besideSequential(creates(200, 50)),
		besideSequential(perEngagement('refresh', 200, 50)),
		highlighted(creates(1000, 50)),
		highlighted(perEngagement('refresh', 1000, 50)),
		...polling(100_000, 10_000),
	];
}
