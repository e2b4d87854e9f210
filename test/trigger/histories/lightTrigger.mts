/**
 * The trigger's own `poll` with a minimum of n8n around it, with responses from the service
 * in-process.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeParameters,
	IPollFunctions,
} from 'n8n-workflow';
import { EngagementUploadsApi } from '../../../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploadsTrigger } from '../../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { makeCredential, type CredentialTarget } from '../../support/credentials.mts';
import { SeededRandom } from '../../support/service/random.mts';
import { simRequest, type SimRequest, type SimResponse } from '../../support/service/request.mts';
import type { History } from './history.mts';
import { forgetProcess } from '../../support/triggerProcess.mts';

const BASE_URL = 'https://service.example';
const ACTIVATION_BUDGET = 300_000;
const DURABLE_BUDGET = 36_000;

const { poll } = EngagementUploadsTrigger.prototype;
const { authenticate } = new EngagementUploadsApi();

/** What surrounds a trigger: the service, and the clock. */
export interface Host {
	/** Epoch milliseconds. */
	readonly now: number;
	/** The credential's Time Zone. */
	readonly zone: string;
	readonly history: Pick<History, 'durable'>;
	readonly service: CredentialTarget;
	answer(request: SimRequest, sentAt: number): SimResponse;
}

/** The workflow's static data: the trigger's, and its own. */
interface StaticData {
	node: IDataObject;
	global: IDataObject;
}

/** A trigger whose polls call the world's service without a socket; its state is kept as in n8n. */
export class LightTrigger {
	private saved: StaticData = { node: {}, global: {} };
	private live: StaticData | undefined;
	isActivated = false;
	/** How the registration began, as n8n tells every poll in memory mode. */
	private activationMode: 'activate' | 'init' = 'activate';
	private readonly workflowId = randomUUID();
	private readonly random = new SeededRandom(7);

	constructor(
		private readonly world: Host,
		private parameters: INodeParameters,
	) {}

	/** @param isDiscarded n8n discards what a durable poll emits */
	async poll(isDiscarded = false): Promise<INodeExecutionData[] | null> {
		return this.world.history.durable
			? await this.durablePoll(isDiscarded)
			: await this.inMemoryPoll();
	}

	/** n8n restarts; durable polling continues without a new activation. */
	restart(): void {
		forgetProcess();
		if (!this.world.history.durable) this.reactivate();
		this.activationMode = 'init';
	}

	/** The workflow is switched off and on, or published again, in the same process. */
	reactivate(): void {
		this.live = undefined;
		this.isActivated = false;
		this.activationMode = 'activate';
	}

	/** The state as the next poll would find it. */
	get state(): StaticData {
		return asSaved(this.live ?? this.saved);
	}

	private async inMemoryPoll(): Promise<INodeExecutionData[] | null> {
		const isActivation = !this.isActivated;
		const live = (this.live ??= asSaved(this.saved));
		const items = await this.run(live, ACTIVATION_BUDGET);
		if (items !== null || isActivation) this.saved = asSaved(live);
		this.isActivated = true;
		return items;
	}

	private async durablePoll(isDiscarded: boolean): Promise<INodeExecutionData[] | null> {
		const isActivation = !this.isActivated;
		const seen = asSaved(this.saved);
		const staged = asSaved(seen);
		const items = await this.run(staged, isActivation ? ACTIVATION_BUDGET : DURABLE_BUDGET);
		// An unchanged state is not written; otherwise the last of several polls wins.
		const keep = (scope: keyof StaticData) => {
			if (!isDeepStrictEqual(seen[scope], asSaved(staged)[scope]))
				this.saved[scope] = asSaved(staged[scope]);
		};
		if (items !== null || isActivation) keep('global');
		this.isActivated = true;
		if (items !== null && isDiscarded && !isActivation) return null;
		if (items !== null || !isActivation) keep('node');
		return items;
	}

	private async run(state: StaticData, budget: number): Promise<INodeExecutionData[] | null> {
		const output = await poll.call(this.context(state.node, state.global, budget));
		return output === null ? null : (output[0] ?? []);
	}

	private context(own: IDataObject, global: IDataObject, budget: number): IPollFunctions {
		const node = {
			id: '0f2b',
			name: 'Trigger',
			type: 'engagementUploadsTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: this.parameters,
		};
		const { parameters, world } = this;
		const credential = makeCredential(world.service, {
			baseUrl: BASE_URL,
			timeZone: world.zone,
		});
		const context = {
			getNode: () => node,
			getMode: () => 'trigger',
			getActivationMode: () => (budget === DURABLE_BUDGET ? 'update' : this.activationMode),
			getWorkflow: () => ({ id: this.workflowId }),
			getTimezone: () => 'UTC',
			getPollBudgetMs: () => budget,
			getCredentials: async () => credential,
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getWorkflowStaticData: (scope: 'node' | 'global') => (scope === 'node' ? own : global),
			helpers: {
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
					await this.send(await authenticated(credential, options)),
			},
		};
		return context as unknown as IPollFunctions;
	}

	private async send({ method, url, headers = {} }: IHttpRequestOptions) {
		const sentAt = this.world.now;
		const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
		const target = url.slice(BASE_URL.length);
		const request = simRequest(method ?? 'GET', target, Object.fromEntries(lowered));
		// Requests in flight at the same time are answered in any order.
		for (let turns = this.random.below(40); turns > 0; turns--) await Promise.resolve();
		const answer = this.world.answer(request, sentAt);
		const { status: statusCode, headers: sent, body } = answer;
		const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
		return { statusCode, headers: sent, body: text };
	}
}

async function authenticated(
	credential: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	if (typeof authenticate !== 'function') throw new Error('The credential has no function');
	return await authenticate(credential, options);
}

/** A copy as the database returns it. */
function asSaved<T>(state: T): T {
	return JSON.parse(JSON.stringify(state)) as T;
}
