/**
 * Workers of n8n that share a credential, without sockets: what they load of this package is real, and in a
 * process of its own each; n8n, its database and a service whose new tokens revoke earlier ones are a model.
 */
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';
import type { ServiceContext } from '../../nodes/EngagementUploads/transport/exchange.ts';
import { upload } from '../../nodes/EngagementUploads/service/uploadRecords.ts';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { loadInWorker } from '../support/engine/workers.mts';
import type { SeededRandom } from '../support/service/random.mts';

type Modules = typeof import('../../nodes/EngagementUploads/transport/client.ts') &
	typeof import('../../credentials/EngagementUploadsApi.credentials.ts');
export type Worker = ReturnType<typeof loadWorker>;

export function loadWorker() {
	return loadInWorker(() => ({
		...jest.requireActual<Modules>('../../nodes/EngagementUploads/transport/client.ts'),
		...jest.requireActual<Modules>('../../credentials/EngagementUploadsApi.credentials.ts'),
	}));
}

/** The longest way of a request in each direction, and of a query to the database, in milliseconds. */
const LATENCY = 45;
const DATABASE = 50;

/** One credential, and the service to which it belongs. */
export class Account {
	tokens = 0;
	private valid: string | undefined;
	private stored: ICredentialDataDecryptedObject;

	constructor(
		private readonly random: SeededRandom,
		name: string,
	) {
		this.stored = {
			baseUrl: `https://${name}.example`,
			subscriptionApiKey: 'key',
			sessionToken: '',
		};
	}

	private readonly within = async (milliseconds: number) =>
		await systemClock.sleep(1 + this.random.below(milliseconds));

	private async respond({ url = '', headers }: IHttpRequestOptions): Promise<object> {
		await this.within(LATENCY);
		const asksForToken = url.endsWith('/token');
		if (asksForToken) this.valid = `T${(this.tokens += 1)}`;
		const isRejected = !asksForToken && headers?.Authorization !== `Bearer ${this.valid}`;
		const body = { access_token: this.valid, uploadId: url };
		await this.within(LATENCY);
		return { statusCode: isRejected ? 401 : 200, headers: {}, body };
	}

	/** As n8n's server does. */
	private async renew(worker: Worker, data: ICredentialDataDecryptedObject): Promise<void> {
		const httpRequest = async (options: IHttpRequestOptions) => await this.respond(options);
		const helper = { helpers: { httpRequest } } as unknown as IHttpRequestHelper;
		const output = await new worker.EngagementUploadsApi().preAuthentication.call(helper, data);
		if (output.sessionToken === undefined) return;
		await this.within(DATABASE);
		Object.assign(data, output);
		this.stored = { ...data };
		await this.within(DATABASE);
	}

	/** As n8n's helper does: after a 401, renews the token, and sends the request once more. */
	private async send(worker: Worker, options: IHttpRequestOptions): Promise<object> {
		await this.within(DATABASE);
		const data = { ...this.stored };
		if (data.sessionToken === '') await this.renew(worker, data);
		const api = new worker.EngagementUploadsApi();
		const sendOnce = async () => {
			if (typeof api.authenticate !== 'function') throw new Error('n8n cannot authenticate');
			const answer = await this.respond(await api.authenticate(data, options));
			if (!('statusCode' in answer) || answer.statusCode !== 401) return answer;
			throw Object.assign(new Error('401'), { response: { status: 401 } });
		};
		return await sendOnce().catch(async () => {
			await this.renew(worker, data);
			return await sendOnce();
		});
	}

	/** Gets records side by side, as one execution does. Returns how many could not be had. */
	async lose(worker: Worker, count: number): Promise<number> {
		const httpRequestWithAuthentication = async (_: string, options: IHttpRequestOptions) =>
			await this.send(worker, options);
		const context = { helpers: { httpRequestWithAuthentication } } as unknown as ServiceContext;
		const client = new worker.ServiceClient(context, this.stored, {
			parallel: 64,
			timeout: 60_000,
		});
		const call = { method: 'GET', kind: upload, purpose: 'get it' } as const;
		const paths = Array.from({ length: count }, (_, item) => `/v1/${item}`);
		const ends = await Promise.allSettled(
			paths.map(async (path) => await client.record({ ...call, path })),
		);
		return ends.filter(({ status }) => status === 'rejected').length;
	}
}
