import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startService, type SimulatedService } from '../../support/service/http.mts';
import type { PollCost, PollerTask } from './poller.mts';

/** A trigger that polls once a minute while uploads complete at a steady rate. */
export interface PollPlan {
	uploadsPerDay: number;
	/** The option Look-Back, minutes. */
	lookback: number;
	/** Whether a filter lets only one of four connectors through. */
	isFiltered: boolean;
}

/** What one poll costs, once the trigger has polled for a while. */
export interface PollResult extends PollCost {
	requests: number;
	/** Uploads that completed within the look-back and the hour that the trigger adds. */
	inWindow: number;
}

const MINUTE = 60_000;
/** The trigger adds an hour to the look-back; the list goes on for some time before that. */
const [ADDED_MINUTES, BEFORE_MINUTES] = [60, 30];
const CONNECTORS = ['north', 'south', 'east', 'west'];
const POLLS = 4;
/** The service's clock stands still at this time, and is moved. */
const START = Date.UTC(2026, 2, 1, 12);

/** Measures the polls in n8n's engine, without n8n around it. */
export async function measurePolls(plan: PollPlan): Promise<PollResult> {
	const perMinute = plan.uploadsPerDay / (24 * 60);
	const minutes = plan.lookback + ADDED_MINUTES + BEFORE_MINUTES;
	const service = await startService();
	for (const name of CONNECTORS) service.model.addConnector({ name });
	addUploads(service, START - minutes * MINUTE, minutes, perMinute);
	service.model.setClock(START);
	const poller = startPoller(taskFor(service, plan));
	try {
		let cost = await poller.poll();
		for (let poll = 0; poll < POLLS; poll += 1) {
			const from = START + poll * MINUTE;
			addUploads(service, from, 1, perMinute);
			service.model.setClock(from + MINUTE);
			service.clearRequests();
			cost = await poller.poll();
		}
		const inWindow = Math.round(perMinute * (plan.lookback + ADDED_MINUTES));
		return { ...cost, requests: service.requests.length, inWindow };
	} finally {
		poller.close();
		await service.close();
	}
}

/** Starts the trigger in a process of its own, so that its CPU time is not the service's. */
function startPoller(task: PollerTask) {
	const script = path.resolve('test/n8n/scale/poller.mts');
	const child = fork(script, [JSON.stringify(task)], { execArgv: process.execArgv });
	const ended = new AbortController();
	child.once('exit', () => ended.abort());
	return {
		poll: async (): Promise<PollCost> => {
			child.send('poll');
			const [cost]: PollCost[] = await once(child, 'message', ended);
			if (cost === undefined) throw new Error('The poll has no cost');
			return cost;
		},
		close: () => {
			if (child.connected) child.disconnect();
		},
	};
}

function addUploads(
	{ model }: SimulatedService,
	from: number,
	minutes: number,
	perMinute: number,
): void {
	const count = Math.round(minutes * perMinute);
	for (let index = 1; index <= count; index += 1) {
		const completedAt = from + (index / count) * minutes * MINUTE;
		const connectorName = CONNECTORS[index % CONNECTORS.length];
		model.addCompletedUpload({ completedAt, connectorName });
	}
}

function taskFor(service: SimulatedService, { lookback, isFiltered }: PollPlan): PollerTask {
	const { url, clientId, subscriptionKey, accessToken } = service;
	return {
		target: { url, clientId, subscriptionKey, accessToken },
		parameters: {
			options: { lookback, maxUploadsPerPoll: 10_000 },
			filters: isFiltered ? { connectorNames: CONNECTORS[0] } : {},
		},
	};
}
