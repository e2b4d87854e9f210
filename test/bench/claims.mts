import type { Figures, Result } from './measure.mts';
import { backlogRequests, BETWEEN_UPLOADS, MAX_PARALLEL, type Workload } from './workloads.mts';

/** One of the project's claims, checked against the measurements. */
export interface Claim {
	claim: string;
	measured: string;
	holds: boolean;
}

/** The claims about a workload that was measured. */
export function claimsOf({ work, figures }: Result): Claim[] {
	const [own, http] = [figures.get(work.contestants[0] ?? 'node'), figures.get('httpRequest')];
	if (own === undefined) return [];
	const name = `${work.title} at ${work.latencyMs} ms`;
	const claims = [...(http ? comparisons(work, own, http) : []), ...absolute(work, own)];
	return claims.map(({ claim, ...rest }) => ({ claim: `${name}: ${claim}`, ...rest }));
}

/** What is claimed in comparison with HTTP Request. */
function comparisons({ kind, latencyMs }: Workload, own: Figures, http: Figures): Claim[] {
	const timesFaster = http.wallMs / own.wallMs;
	if (kind === 'lastUpload')
		return [
			atLeast('at least twice as fast as HTTP Request, which sends all at once', timesFaster, 2),
		];
	// Single reads cost more than HTTP Request's, since they are checked, retried and paced.
	if (kind !== 'uploads') return [];
	const cpu = own.cpuMs / own.records / (http.cpuMs / http.records);
	return [
		...(latencyMs > 0
			? [atLeast('at least 8 times faster than HTTP Request', timesFaster, 8)]
			: []),
		atMost('CPU per record at most 1.1 times that of HTTP Request', cpu, 1.1),
		...(own.records === 100_000
			? [atMost("peak memory no higher than HTTP Request's", own.peakBytes / http.peakBytes, 1)]
			: []),
	];
}

function absolute(work: Workload, own: Figures): Claim[] {
	const { kind, count, rateLimit } = work;
	const { requests, mostAtOnce, lost, polls } = own;
	switch (kind) {
		case 'lastUpload':
			return [claimed(`${count / 100} requests`, requests, requests === count / 100)];
		case 'company':
			return [
				claimed(`at most ${MAX_PARALLEL} requests at once`, mostAtOnce, mostAtOnce <= MAX_PARALLEL),
				...(rateLimit ? underLimit(own, (count / rateLimit.requests - 1) * rateLimit.perMs) : []),
			];
		case 'poll':
			if (work.uploadEvery < BETWEEN_UPLOADS) return [];
			return [claimed('one request, however long the history', requests, requests === 1)];
		case 'backlog': {
			const most = backlogRequests(polls);
			const claim =
				'at most 1.1 times the requests expected: each upload twice, plus the look-back and a day in each poll';
			return [
				claimed('each upload is emitted once', `${lost} lost`, lost === 0),
				claimed(claim, `${requests}, expected ${most}`, requests <= most * 1.1),
			];
		}
		default:
			return [];
	}
}

function underLimit({ wallMs, lost }: Figures, shortestMs: number): Claim[] {
	return [
		claimed('everything arrives', `${lost} lost`, lost === 0),
		atMost('at most 1.2 times the time that the limit allows', wallMs / shortestMs, 1.2),
	];
}

function atLeast(claim: string, ratio: number, least: number): Claim {
	return claimed(claim, ratio.toFixed(2), ratio >= least);
}

function atMost(claim: string, ratio: number, most: number): Claim {
	return claimed(claim, ratio.toFixed(2), ratio <= most);
}

function claimed(claim: string, measured: string | number, holds: boolean): Claim {
	return { claim, measured: String(measured), holds };
}
