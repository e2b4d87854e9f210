import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

import { startService, type SimulatedService } from '../service/http.mts';
import { answerParent } from './peer.mts';
import type { RateLimit, World } from './works.mts';

/** What the service is told: to start, to begin a measurement, or to tell what it saw since. */
export type ServiceOrder =
	| { order: 'start'; world: World }
	| { order: 'begin'; latencyMs: number; rateLimit: RateLimit | null }
	| { order: 'tell' };

/** Where the service is and how one gets in. */
export interface Target {
	url: string;
	clientId: string;
	subscriptionKey: string;
	accessToken: string;
}

/** What the service saw. */
export interface Seen {
	requests: number;
	/** The most that were under way at the same time. */
	mostAtOnce: number;
	connections: number;
	refused: number;
	/** Requests that came although a `Retry-After` that its sender knew of had not run out. */
	tooEarly: number;
}

/** Uploads are this far apart, so that a few hundred lie within the trigger's look-back. */
const BETWEEN_UPLOADS = 30_000;
/** The newest upload is this old, so that a clock that goes on changes nothing. */
const NEWEST = 60_000;
/** A refusal takes so long at most, on a busy machine, to reach its sender. */
const ON_THE_WAY = 150;

let service: SimulatedService | undefined;
let seen: Seen;
let closedUntil: Array<{ from: number; to: number }> = [];

subscribe('net.server.socket', (message) => {
	if ((message as { socket?: Socket }).socket !== undefined) seen.connections += 1;
});

async function start(world: World): Promise<Target> {
	service = await startService({ record: false, settings: { tokenLifetimeMs: 24 * 3_600_000 } });
	reset();
	fill(service, world);
	watch(service);
	const { url, clientId, subscriptionKey, accessToken } = service;
	return { url, clientId, subscriptionKey, accessToken };
}

function fill({ model }: SimulatedService, world: World): void {
	model.addConnector({ name: 'connector-a' });
	for (let id = 1; id <= world.engagements; id += 1) {
		model.addEngagement({ id, externalEngagementId: `E-${id}`, name: `Company ${id} Ltd` });
	}
	const newest = model.now - NEWEST;
	for (let left = world.uploads - 1; left >= 0; left -= 1) {
		const engagementId = 1 + (left % world.engagements);
		model.addCompletedUpload({ engagementId, completedAt: newest - left * BETWEEN_UPLOADS });
	}
}

function watch(watched: SimulatedService): void {
	const handle = watched.handle.bind(watched);
	watched.handle = (request) => {
		const now = Date.now();
		seen.requests += 1;
		if (closedUntil.some(({ from, to }) => now > from && now < to)) seen.tooEarly += 1;
		const outcome = handle(request);
		if (outcome.answer?.status === 429) {
			seen.refused += 1;
			const seconds = Number(outcome.answer.headers['retry-after']);
			closedUntil.push({ from: now + ON_THE_WAY, to: now + seconds * 1000 });
		}
		return outcome;
	};
}

function reset(): void {
	seen = { requests: 0, mostAtOnce: 0, connections: 0, refused: 0, tooEarly: 0 };
	closedUntil = [];
	service?.clearRequests();
}

answerParent<ServiceOrder>(async (message) => {
	if (message.order === 'start') return await start(message.world);
	if (service === undefined) throw new Error('The service has not been started');
	if (message.order === 'tell') return { ...seen, mostAtOnce: service.mostAtOnce };
	Object.assign(service.settings, { latencyMs: message.latencyMs, rateLimit: message.rateLimit });
	return reset();
});
