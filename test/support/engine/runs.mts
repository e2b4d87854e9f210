import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { makeCredential } from '../world/credentials.mts';
import { startNode, type NodeResult, type NodeRun } from './nodeRun.mts';
import type { SimulatedService } from '../service/http.mts';
import type { RecordedRequest } from '../service/log.mts';

/** Further options of a run; `credential` replaces the pasted token. */
export type RunOptions = Partial<
	Pick<NodeRun, 'credential' | 'types' | 'onError' | 'timezone' | 'maxTries'>
>;

/** Lets the other items go on after a failure. */
export const onErrorContinue = { onError: 'continueRegularOutput' } as const;

type Items = NodeRun['items'];

/** Shorter than the limit of a test, whose message would not say what is missing. */
const PATIENCE = 200_000;

/** The service of the current test: the last one that `useService` has started. */
export let service: SimulatedService;

/** Starts a service before each test or before all of them, and closes it afterwards. */
export function useService(
	before: typeof beforeEach,
	start: () => Promise<SimulatedService>,
): void {
	let own: SimulatedService;
	before(async () => (service = own = await start()));
	const after = before === beforeEach ? afterEach : afterAll;
	after(async () => await own.close());
}

/** Runs the action node; afterwards, its requests are in `service.requests`. */
export async function run(...given: Parameters<typeof start>): Promise<NodeResult> {
	return await start(...given).done;
}

/** Starts the action node, so that it can be cancelled. */
export function start(
	service: SimulatedService,
	parameters: IDataObject,
	items?: Items,
	options: RunOptions = {},
): ReturnType<typeof startNode> {
	service.clearRequests();
	return startNode(makeSetup(service, parameters, items, options));
}

/** The setup of a run; requests seen so far are kept. */
export function makeSetup(
	service: SimulatedService,
	parameters: IDataObject,
	items?: Items,
	options: RunOptions = {},
): NodeRun {
	const given = parameters as NodeRun['parameters'];
	return { credential: makeCredential(service), parameters: given, items, ...options };
}

/** The `json` of items. */
export function toJson(items: INodeExecutionData[]): IDataObject[] {
	return items.map(({ json }) => json);
}

/** Runs the node and returns the items' `json`; throws the node's error. */
export async function readOutput(...given: Parameters<typeof run>): Promise<IDataObject[]> {
	const { items, error } = await run(...given);
	if (error !== undefined) throw error;
	return toJson(items);
}

/** The full text of a run's error, message and advice; throws if there is none. */
export function errorText({ error }: Pick<NodeResult, 'error'>): string {
	if (error === undefined) throw new Error('The node did not fail');
	const advice = 'description' in error ? String(error.description) : '';
	return `${error.message} | ${advice}`;
}

/** The hints that n8n shows above the output. */
export function listHints({ error, run: { data } }: NodeResult): string[] {
	if (error instanceof Error) throw error;
	const tasks = Object.values(data.resultData.runData).flat();
	return tasks.flatMap(({ hints = [] }) => hints.map(({ message }) => message));
}

/** Requests as `GET /path?query`. */
export function requestLines(service: SimulatedService): string[] {
	return service.requests.map(({ method, url }) => `${method} ${url}`);
}

/** The only request that was sent. */
export function onlyRequest(service: SimulatedService): RecordedRequest {
	const [request, ...others] = service.requests;
	if (request === undefined || others.length > 0) {
		throw new Error(
			`Not one request but ${service.requests.length}: ${requestLines(service).join()}`,
		);
	}
	return request;
}

/** This many items, each `{ id }`, counting from `first`. */
export function itemsFrom(first: number, count: number): Array<{ id: number }> {
	return Array.from({ length: count }, (_, index) => ({ id: first + index }));
}

/** Resolves as soon as the condition holds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
	// Virtual time does not pass here, and a busy machine may take long.
	const end = performance.now() + PATIENCE;
	while (!condition()) {
		if (performance.now() > end) throw new Error(`Not within ${PATIENCE} ms: ${what}`);
		await new Promise((resolve) => setImmediate(resolve));
	}
}

/** Runs a function right after the service has handled the n-th request from now. */
export function afterRequest(service: SimulatedService, n: number, act: () => void): void {
	const handle = service.handle.bind(service);
	let handled = 0;
	service.handle = (request) => {
		const outcome = handle(request);
		handled += 1;
		if (handled === n) act();
		return outcome;
	};
}
