import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { startService, type SimulatedService } from '../support/service/http.mts';
import { answerParent } from './peer.mts';
import { BETWEEN_UPLOADS, type RateLimit, type World } from './workload.mts';

/** A message to the service: start, begin a measurement, or report what it has seen since. */
export type ServiceOrder =
	| { order: 'start'; world: World }
	| { order: 'begin'; latencyMs: number; rateLimit: RateLimit | null }
	| { order: 'report' };

/** Where the service is, and its credentials. */
export interface Target {
	url: string;
	clientId: string;
	subscriptionKey: string;
	accessToken: string;
}

/** What the service has seen. */
export interface Seen {
	requests: number;
	/** Maximum number in flight at the same time. */
	mostAtOnce: number;
	connections: number;
	refused: number;
}

/** Age of the newest upload: all are in the past, so a running clock changes nothing. */
const NEWEST = 60_000;

let service: SimulatedService | undefined;
let seen: Seen;

subscribe('net.server.socket', (message) => {
	const { socket } = message as { socket?: Socket };
	const port = socket?.localPort;
	if (port !== undefined && service?.url.endsWith(`:${port}`)) seen.connections += 1;
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
	const { uploadEvery = BETWEEN_UPLOADS } = world;
	for (let left = world.uploads - 1; left >= 0; left -= 1) {
		const engagementId = 1 + (left % world.engagements);
		model.addCompletedUpload({ engagementId, completedAt: newest - left * uploadEvery });
	}
}

function watch(watched: SimulatedService): void {
	const handle = watched.handle.bind(watched);
	watched.handle = (request) => {
		seen.requests += 1;
		const outcome = handle(request);
		if (outcome.response?.status === 429) seen.refused += 1;
		return outcome;
	};
}

function reset(): void {
	seen = { requests: 0, mostAtOnce: 0, connections: 0, refused: 0 };
	service?.clearRequests();
}

answerParent<ServiceOrder>(async (message) => {
	if (message.order === 'start') return await start(message.world);
	if (service === undefined) throw new Error('The service has not been started');
	if (message.order === 'report') return { ...seen, mostAtOnce: service.mostAtOnce };
	const { latencyMs, rateLimit } = message;
	// Requests of the previous run must not count against this one.
	if (rateLimit !== null) await sleep(rateLimit.perMs);
	Object.assign(service.settings, { latencyMs, rateLimit });
	return reset();
});
