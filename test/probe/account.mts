/** Reads a real account, one request at a time, and each thing once, however many questions need it. */
import type { IDataObject } from 'n8n-workflow';
import type { KindName } from '../../nodes/EngagementUploads/service/records.ts';
import { kinds } from '../../nodes/EngagementUploads/service/records.ts';
import { readOutcome } from '../../nodes/EngagementUploads/service/uploadStatus.ts';
import { readPage } from '../../nodes/EngagementUploads/transport/responses.ts';
import { parsePlausibleTime } from '../../nodes/EngagementUploads/values/dates.ts';
import { isObject, parseJson } from '../../nodes/EngagementUploads/values/objects.ts';

/** How to reach the account, as in the credential; what is empty comes with the token. */
export interface AccountSettings {
	baseUrl: string;
	subscriptionKey: string;
	tokenUrl: string;
	tokenFields: Record<string, string>;
	accessToken: string;
	clientId: string;
}

export interface Answer {
	status: number;
	body: unknown;
	date: string | null;
}

type Query = Record<string, string | number>;

/** No more questions may be asked. */
export class Stop extends Error {}

/** The beginning of what the service says, without numbers and addresses of people. */
export function quote({ status, body }: Answer): string {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const said = text
		.slice(0, 100)
		.replace(/\S+@\S+/g, '…')
		.replace(/\d/g, '9');
	return `status ${status}: ${said}`;
}

export const timeOf = (upload: IDataObject, field: string): number =>
	parsePlausibleTime(upload[field], 'UTC') ?? 0;

/** The first that fits. @throws if this account has none, so that it cannot tell */
export function some<T>(all: T[], fits: (each: T) => boolean, what: string): T {
	const found = all.find(fits);
	if (found === undefined) throw new Error(`there is no ${what}`);
	return found;
}

export class Account {
	requests = 0;
	private readonly answers = new Map<string, Promise<Answer>>();

	constructor(readonly settings: AccountSettings) {}

	/** @throws Stop at a rate limit */
	async send(url: string, init: RequestInit): Promise<Answer> {
		this.requests += 1;
		const { baseUrl, subscriptionKey } = this.settings;
		const response = await fetch(new URL(url, baseUrl), {
			...init,
			headers: { 'Ocp-Apim-Subscription-Key': subscriptionKey, ...init.headers },
			// A redirect could take the key and the token to another host.
			redirect: 'manual',
			signal: AbortSignal.timeout(60_000),
		});
		const { status, headers } = response;
		if (status === 429 || headers.has('retry-after'))
			throw new Stop(`the service limits requests (status ${status}); try again later`);
		const text = await response.text();
		return { status, body: parseJson(text) ?? text, date: headers.get('date') };
	}

	/** A client's path begins with the name of its list. */
	async get(path: string, query: Query = {}, headers: Record<string, string> = {}) {
		const { accessToken, clientId } = this.settings;
		const own = path.startsWith('/') ? path : `/v1/clients/${encodeURIComponent(clientId)}/${path}`;
		const search = new URLSearchParams();
		for (const [name, value] of Object.entries(query)) search.set(name, String(value));
		const url = `${own}?${search}`.replaceAll('%2C', ',').replace(/\?$/, '');
		const key = `${url} ${JSON.stringify(headers)}`;
		const authorization = `Bearer ${accessToken}`;
		const answer =
			this.answers.get(key) ?? this.send(url, { headers: { authorization, ...headers } });
		this.answers.set(key, answer);
		return await answer;
	}

	/** The records of a list, as the nodes read them. @throws if they could not */
	async list(name: KindName, path: string, query: Query = {}): Promise<IDataObject[]> {
		const answer = await this.get(path, query);
		if (answer.status !== 200) throw new Error(`${path}: ${quote(answer)}`);
		return readPage(answer.body, kinds[name]).records;
	}

	/** Many uploads: the newest, and the oldest. */
	async uploads(): Promise<IDataObject[]> {
		const pages = [];
		for (const orderBy of ['-creationDate', 'creationDate'])
			pages.push(...(await this.list('upload', 'uploads', { page: 0, size: 100, orderBy })));
		return [...new Map(pages.map((each) => [each.uploadId, each])).values()];
	}

	async engagements(): Promise<IDataObject[]> {
		return await this.list('engagement', 'engagements', { page: 0, size: 100 });
	}

	async completed(): Promise<IDataObject> {
		const hasDate = (each: IDataObject) => timeOf(each, 'completionDate') > 0;
		return some(await this.uploads(), hasDate, 'completed upload');
	}

	/** A path of the engagement of a completed upload. */
	async ofEngagement(what: string): Promise<string> {
		return `/v1/engagements/${String((await this.completed()).engagementId)}/${what}`;
	}

	/** The path of the steps of an upload, of one that has not completed if there is one. */
	async pathOfSteps(): Promise<string> {
		const isOpen = (each: IDataObject) => readOutcome(each, 'UTC') !== 'completed';
		const open = (await this.uploads()).find(isOpen);
		const { engagementId, uploadId } = open ?? (await this.completed());
		return `/v1/workflows/engagements/${String(engagementId)}/uploads/${String(uploadId)}`;
	}

	/** @throws if the answer is none */
	async record(path: string): Promise<IDataObject> {
		const answer = await this.get(path);
		if (answer.status === 200 && isObject(answer.body)) return answer.body;
		throw new Error(quote(answer));
	}

	/** A text without what is secret. */
	hide(text: string): string {
		const { subscriptionKey, accessToken, clientId, tokenFields } = this.settings;
		return [subscriptionKey, accessToken, clientId, ...Object.values(tokenFields)]
			.flatMap((each) => [each, encodeURIComponent(each)])
			.filter(({ length }) => length > 10)
			.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
	}
}
