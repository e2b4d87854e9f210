/** A small simulated service for each test, and triggers that poll it. */
import type { IDataObject } from 'n8n-workflow';

import type { Poller } from '../support/engine/poller.mts';
import { drain, listIds, makePoller, type PollerOptions } from '../support/engine/polls.mts';
import { useService } from '../support/engine/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import type { Upload } from '../support/service/records.mts';
import type { SimRequest } from '../support/service/request.mts';

export { drain, listIds };

/** In memory mode and in durable polling mode (docs/how-the-trigger-works.md). */
export const modes = [{ durable: false }, { durable: true }];

/** The service of the current test. */
export let service: SimulatedService;

/** Gives each test a service with its own clock, one connector and one engagement. */
export function useSmallService(begin = () => {}): void {
	useService(beforeEach, async () => {
		// Uploads stay in progress until a test changes them.
		service = await startService({ settings: { uploadDurationMs: Infinity } });
		service.model.clock.set(Date.UTC(2026, 5, 15, 10));
		// n8n's clock is right to a day.
		jest.spyOn(Date, 'now').mockImplementation(() => service.model.now);
		service.model.addConnector({ name: 'cloudbooks' });
		service.model.addEngagement({ id: 1, name: 'Company 1' });
		begin();
		return service;
	});
	afterEach(() => jest.restoreAllMocks());
}

/** Adds an upload that completed this many minutes ago; returns its ID. */
export function complete(minutesAgo = 0, given: Partial<Upload> = {}): string {
	const completedAt = service.model.now - minutesAgo * 60_000;
	return service.model.addCompletedUpload({ completedAt, ...given }).uploadId;
}

/** Adds uploads that completed every so many minutes until now; returns their IDs, oldest first. */
export function completeMany(count: number, everyMinutes = 1): string[] {
	return Array.from({ length: count }, (_each, at) => complete((count - at) * everyMinutes));
}

/** Adds an upload that started this many minutes ago; returns its ID. */
export function start(minutesAgo = 0, connectorName = 'cloudbooks'): string {
	const { uploadId } = service.model.startUpload(1, connectorName);
	service.model.updateUpload(uploadId, { createdAt: service.model.now - minutesAgo * 60_000 });
	return uploadId;
}

/** Changes the status of an upload. */
export function setStatus(uploadId: string, status: string): void {
	service.model.updateUpload(uploadId, { status });
}

/** A trigger that has not been activated yet. */
export function trigger(parameters: IDataObject = {}, options: PollerOptions = {}): Poller {
	return makePoller(service, parameters, options);
}

/** A trigger after its first poll, which takes what is there as it is. */
export async function activated(...given: Parameters<typeof trigger>): Promise<Poller> {
	const poller = trigger(...given);
	expect(await poller.poll()).toBeNull();
	return poller;
}

/** Expects a trigger to emit an upload that completes now, or starts. */
export async function expectNext(poller: Poller, add: () => string = complete): Promise<void> {
	const id = add();
	expect(await listIds(poller)).toEqual([id]);
}

/** The previous and current status of each upload that a poll emits. */
export async function pollChanges(poller: Poller): Promise<unknown[][]> {
	const items = (await poller.poll()) ?? [];
	return items.map(({ json }) => [json.uploadId, json.previousStatus, json.uploadStatus]);
}

/** A response to a request, as far as tests change it. */
interface Answer {
	headers: Record<string, string>;
	body?: { content?: Array<Record<string, unknown>>; [other: string]: unknown };
}

/** Changes all responses from now on; returns what ends this. */
export function changeAnswers(change: (answer: Answer, request: SimRequest) => void): () => void {
	const { handle } = service;
	service.handle = (request) => {
		const outcome = handle.call(service, request);
		const answer = structuredClone(outcome.response) as Answer | undefined;
		if (answer !== undefined) change(answer, request);
		return { ...outcome, response: answer } as typeof outcome;
	};
	return () => (service.handle = handle);
}

/** Changes some fields of a trigger's credential. */
export function changeCredential({ credential }: Poller, change: object): void {
	credential.save({ ...credential.stored(), ...change });
}
