/** The trigger's own `poll` with the least of n8n around it, answered in-process by the service. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type {
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeParameters,
	IPollFunctions,
} from 'n8n-workflow';
import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploadsTrigger } from '../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import type { Poller } from '../support/engine/poll.mts';
import type { Saved } from '../support/engine/node-poller.mts';
import { simRequest, type SimAnswer } from '../support/service/request.mts';
import type { Service } from '../support/service/service.mts';

/** What a history needs of a poller. */
export type Trigger = Pick<
	Poller,
	'poll' | 'restart' | 'reactivate' | 'change' | 'state' | 'globalState'
>;

export const BASE_URL = 'https://service.example';
const ACTIVATION_BUDGET = 300_000;
const DURABLE_BUDGET = 36_000;

const { poll } = EngagementUploadsTrigger.prototype;
const { authenticate } = new EngagementUploadsApi();

/** A trigger whose polls call the service without a socket; its state is kept as n8n keeps it. */
export class LightTrigger implements Trigger {
	private saved: Saved = { node: {}, global: {} };
	private live: Saved | undefined;
	private isActivated = false;
	private readonly workflowId = randomUUID();

	constructor(
		private readonly service: Service,
		private readonly zone: string,
		private readonly durable: boolean,
		private parameters: INodeParameters,
		/** Lets polls that overlap take turns in an order of the caller's. */
		private readonly beforeRequest: () => Promise<void>,
	) {}

	async poll(): Promise<INodeExecutionData[] | null> {
		return this.durable ? await this.durablePoll() : await this.inMemoryPoll();
	}

	restart(): void {
		if (this.durable) return;
		this.live = undefined;
		this.isActivated = false;
	}

	reactivate(): void {
		this.restart();
		this.isActivated = false;
	}

	change(parameters: INodeParameters): void {
		this.parameters = parameters;
		this.restart();
	}

	get state(): IDataObject {
		return asSaved((this.live ?? this.saved).node);
	}

	get globalState(): IDataObject {
		return asSaved((this.live ?? this.saved).global);
	}

	private async inMemoryPoll(): Promise<INodeExecutionData[] | null> {
		const isActivation = !this.isActivated;
		this.live ??= asSaved(this.saved);
		const items = await this.run(this.live, ACTIVATION_BUDGET);
		if (isActivation || items !== null) this.saved = asSaved(this.live);
		this.isActivated = true;
		return items;
	}

	private async durablePoll(): Promise<INodeExecutionData[] | null> {
		const isActivation = !this.isActivated;
		const seen = asSaved(this.saved);
		const staged = asSaved(seen);
		const items = await this.run(staged, isActivation ? ACTIVATION_BUDGET : DURABLE_BUDGET);
		// What a poll left as it found it is not written; else the last of several polls is what stays.
		const isChanged = (scope: keyof Saved) => !isDeepStrictEqual(seen[scope], staged[scope]);
		if ((items !== null || !isActivation) && isChanged('node'))
			this.saved.node = asSaved(staged.node);
		if ((items !== null || isActivation) && isChanged('global'))
			this.saved.global = asSaved(staged.global);
		this.isActivated = true;
		return items;
	}

	private async run(state: Saved, budget: number): Promise<INodeExecutionData[] | null> {
		const output = await poll.call(this.context(state, budget));
		return output === null ? null : (output[0] ?? []);
	}

	private context(state: Saved, budget: number): IPollFunctions {
		const node = {
			id: '0f2b',
			name: 'Trigger',
			type: 'engagementUploadsTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: this.parameters,
		};
		const credential = this.credential();
		const context = {
			getNode: () => node,
			getMode: () => 'trigger',
			getActivationMode: () => (budget === DURABLE_BUDGET ? 'update' : 'activate'),
			getWorkflow: () => ({ id: this.workflowId }),
			getTimezone: () => 'UTC',
			getPollBudgetMs: () => budget,
			getCredentials: async () => credential,
			getNodeParameter: (name: string, fallback: unknown) => this.parameters[name] ?? fallback,
			getWorkflowStaticData: (scope: 'node' | 'global') => state[scope],
			helpers: {
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
					await this.send(await authenticated(credential, options)),
			},
		};
		return context as unknown as IPollFunctions;
	}

	private credential() {
		return {
			baseUrl: BASE_URL,
			clientId: this.service.clientId,
			subscriptionApiKey: this.service.subscriptionKey,
			authentication: 'accessToken',
			accessToken: this.service.accessToken,
			timeZone: this.zone,
		};
	}

	private async send({ method, url, headers = {} }: IHttpRequestOptions) {
		await this.beforeRequest();
		const lowered = Object.entries(headers).map(([name, value]) => [
			name.toLowerCase(),
			String(value),
		]);
		const target = url.slice(BASE_URL.length);
		const request = simRequest(method ?? 'GET', target, Object.fromEntries(lowered));
		const { answer } = this.service.handle(request);
		if (answer === undefined) throw new Error('The history has a fault that takes a socket');
		return { statusCode: answer.status, headers: answer.headers, body: toText(answer) };
	}
}

async function authenticated(
	credential: Record<string, string>,
	options: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	if (typeof authenticate !== 'function') throw new Error('The credential has no function');
	return await authenticate(credential, options);
}

function toText({ body }: SimAnswer): string {
	return typeof body === 'string' ? body : JSON.stringify(body ?? '');
}

/** A copy as the database gives it back. */
function asSaved<T>(state: T): T {
	return JSON.parse(JSON.stringify(state)) as T;
}
