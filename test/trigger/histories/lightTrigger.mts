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
import { credentialOf, type CredentialTarget } from '../../support/credentials.mts';
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
	readonly history: Pick<History, 'durable' | 'zone'>;
	readonly service: CredentialTarget;
	/** A request is on its way. */
	onRequest?(request: SimRequest): void;
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
	private isActivated = false;
	private isDurable: boolean;
	/** Once durable polling has stored the node's data in their own table, they stay there. */
	private isInTable = false;
	/** How the registration began, as n8n tells every poll in memory mode. */
	private activationMode: 'activate' | 'init' = 'activate';
	private name = 'Trigger';
	/** The credential's Time Zone. */
	zone: string;
	private readonly workflowId = randomUUID();
	private readonly random = new SeededRandom(7);

	constructor(
		private readonly world: Host,
		private parameters: INodeParameters,
	) {
		this.isDurable = world.history.durable;
		this.zone = world.history.zone;
	}

	/** What kind of poll the next one is. */
	get next(): { isActivation: boolean; isDurable: boolean } {
		return { isActivation: !this.isActivated, isDurable: this.isDurable };
	}

	/** @param isDiscarded n8n discards what a durable poll emits */
	async poll(isDiscarded = false): Promise<INodeExecutionData[] | null> {
		if (!this.isDurable) return await this.inMemoryPoll();
		return await this.durablePoll(isDiscarded);
	}

	/** n8n restarts; durable polling continues without a new activation. */
	restart(): void {
		forgetProcess();
		if (!this.isDurable) this.register();
		this.activationMode = 'init';
	}

	/** n8n restarts in the other mode. */
	switchMode(): void {
		this.isDurable = !this.isDurable;
		forgetProcess();
		this.register();
		this.activationMode = 'init';
	}

	/** The workflow is switched off and on, or published again, in the same process. */
	reactivate(): void {
		this.register();
	}

	change(parameters: INodeParameters): void {
		this.parameters = parameters;
		this.register();
	}

	/**
	 * In memory mode, n8n looks for the node's data under the new name, where there are none; durable
	 * polling finds them by the node's ID.
	 */
	rename(): void {
		if (!this.isInTable) this.saved.node = {};
		this.name = `${this.name}+`;
		this.register();
	}

	/** The state as the next poll would find it. */
	get state(): StaticData {
		return asSaved(this.live ?? this.saved);
	}

	private register(): void {
		this.live = undefined;
		this.isActivated = false;
		this.activationMode = 'activate';
	}

	private async inMemoryPoll(): Promise<INodeExecutionData[] | null> {
		const isActivation = !this.isActivated;
		const live = (this.live ??= asSaved(this.saved));
		const node = this.isInTable ? asSaved(this.saved.node) : live.node;
		const items = await this.run({ ...live, node }, ACTIVATION_BUDGET);
		if (this.isInTable && (items !== null || !isActivation)) this.saved.node = asSaved(node);
		if (items !== null || isActivation)
			this.saved = {
				global: asSaved(live.global),
				node: this.isInTable ? this.saved.node : asSaved(node),
			};
		this.isActivated = true;
		return items;
	}

	private async durablePoll(isDiscarded: boolean): Promise<INodeExecutionData[] | null> {
		const isActivation = !this.isActivated;
		const seen = asSaved(this.saved);
		const staged = asSaved(seen);
		this.isInTable = true;
		const items = await this.run(staged, isActivation ? ACTIVATION_BUDGET : DURABLE_BUDGET);
		// An unchanged state is not written; otherwise the last of several polls wins.
		const isChanged = (scope: keyof StaticData) =>
			!isDeepStrictEqual(seen[scope], asSaved(staged)[scope]);
		if ((items !== null || isActivation) && isChanged('global'))
			this.saved.global = asSaved(staged.global);
		this.isActivated = true;
		if (items !== null && isDiscarded && !isActivation) return null;
		if ((items !== null || !isActivation) && isChanged('node'))
			this.saved.node = asSaved(staged.node);
		return items;
	}

	private async run(state: StaticData, budget: number): Promise<INodeExecutionData[] | null> {
		const output = await poll.call(this.context(state.node, state.global, budget));
		return output === null ? null : (output[0] ?? []);
	}

	private context(own: IDataObject, global: IDataObject, budget: number): IPollFunctions {
		const node = {
			id: '0f2b',
			name: this.name,
			type: 'engagementUploadsTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: this.parameters,
		};
		const { parameters, world } = this;
		const credential = credentialOf(world.service, {
			baseUrl: BASE_URL,
			timeZone: this.zone,
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
		this.world.onRequest?.(request);
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
