/**
 * The trigger's own `poll` with a minimum of n8n around it, with responses from the service
 * in-process.
 */
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeParameters,
	IPollFunctions,
} from 'n8n-workflow';
import { EngagementUploadsApi } from '../../../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploadsTrigger } from '../../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { makeCredential } from '../../support/world/credentials.mts';
import {
	asSaved,
	PolledState,
	type Activation,
	type Saved,
} from '../../support/engine/polledState.mts';
import { SeededRandom } from '../../support/service/random.mts';
import { simRequest } from '../../support/service/request.mts';
import type { World } from './world.mts';

const BASE_URL = 'https://service.example';

const { poll } = EngagementUploadsTrigger.prototype;
const { authenticate } = new EngagementUploadsApi();

/** A trigger whose polls call the world's service without a socket. */
export class LightTrigger extends PolledState<Saved> {
	private readonly random = new SeededRandom(7);

	constructor(
		private readonly world: World,
		private parameters: INodeParameters,
	) {
		super(world.history.durable);
	}

	/** @param isDiscarded n8n discards what a durable poll emits */
	override async poll(isDiscarded = false): Promise<INodeExecutionData[] | null> {
		const isKept = !isDiscarded || !this.isDurable || !this.isActivated;
		const items = await super.poll();
		if (isKept || items === null) return items;
		this.rollBack();
		return null;
	}

	protected load(): Saved {
		return asSaved(this.saved);
	}

	protected readState(workflow: Saved): Saved {
		return asSaved(workflow);
	}

	protected async callNode(
		{ node, global }: Saved,
		activation: Activation,
		budget: number,
		staged = node,
	): Promise<INodeExecutionData[] | null> {
		const context = this.context({ node: staged, global }, activation, budget);
		const output = await poll.call(context);
		return output === null ? null : (output[0] ?? []);
	}

	private context(state: Saved, activation: Activation, budget: number): IPollFunctions {
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
			getActivationMode: () => activation,
			getWorkflow: () => ({ id: this.workflowId }),
			getTimezone: () => 'UTC',
			getPollBudgetMs: () => budget,
			getCredentials: async () => credential,
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getWorkflowStaticData: (scope: keyof Saved) => state[scope],
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
