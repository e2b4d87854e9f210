/** Reads a real account, one request at a time. What several questions need is read once. */
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../../nodes/EngagementUploads/values/objects.ts';

export type Row = IDataObject;
export type Query = Record<string, string | number>;

/** How to reach the account, as in the credential. */
export interface AccountSettings {
	baseUrl: string;
	subscriptionKey: string;
	tokenUrl: string;
	tokenFields: Record<string, string>;
	/** Both come with the token, if they are not set. */
	accessToken: string;
	clientId: string;
}

export interface Answer {
	status: number;
	body: unknown;
	date: string | null;
}

/** What is expected of an account: pages of so many records. */
export const PAGE_SIZE = 500;
const SMALLER_SIZES = [200, 100, 20];
const MINUTE = 60_000;
const MAX_QUOTE = 100;

const CLIENT = '/v1/clients/{clientId}';
export const ENGAGEMENTS = `${CLIENT}/engagements`;
export const UPLOADS = `${CLIENT}/uploads`;
export const LAST_UPLOADS = `${CLIENT}/lastUploads`;
export const USERS = `${CLIENT}/users`;
export const CONNECTORS = `${CLIENT}/connectors`;

/** An answer that was not had; the quote may be about a customer. */
export class Unanswered extends Error {
	constructor(
		message: string,
		readonly quote = '',
	) {
		super(message);
	}
}

/** No more questions may be asked. */
export class RateLimited extends Error {}

/** Whether the service does not accept a parameter. */
export const isRefused = ({ status }: Pick<Answer, 'status'>) => status === 400 || status === 422;

/** The beginning of what the service says, without numbers and addresses. */
export function quote({ body }: Answer): string {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	return text
		.slice(0, MAX_QUOTE)
		.replace(/\S+@\S+/g, '…')
		.replace(/\d/g, '9');
}

/** Where a response holds its records, and these. */
export function findRecords(body: unknown, path = ''): { path: string; records: Row[] } {
	if (Array.isArray(body)) return { path: path || 'bare array', records: body.filter(isObject) };
	for (const [name, value] of isObject(body) ? Object.entries(body) : []) {
		if (name === 'sort' || typeof value !== 'object') continue;
		const found = findRecords(value, path === '' ? name : `${path}.${name}`);
		if (found.path !== '') return found;
	}
	return { path: '', records: [] };
}

/** The records of an answer. @throws if it is no list */
export function recordsOf(answer: Answer, what: string): Row[] {
	const { status, body } = answer;
	const { path, records } = findRecords(body);
	if (status !== 200) throw new Unanswered(`${what}: status ${status}`, quote(answer));
	if (path === '') throw new Unanswered(`${what}: no list`, quote(answer));
	return records;
}

export class Account {
	requests = 0;
	/** Whether the upload list refuses to sort. */
	private refusesOrder = false;
	private readonly kept = new Map<string, Promise<unknown>>();

	constructor(readonly settings: AccountSettings) {}

	/** Sends a request. @throws RateLimited */
	async send(url: string, init: RequestInit): Promise<Answer> {
		this.requests += 1;
		const { baseUrl, subscriptionKey } = this.settings;
		const response = await fetch(new URL(url, baseUrl), {
			...init,
			headers: { 'Ocp-Apim-Subscription-Key': subscriptionKey, ...init.headers },
			// A redirect could take the key and the token to another host.
			redirect: 'manual',
			signal: AbortSignal.timeout(MINUTE),
		}).catch((error: Error) => {
			throw new Unanswered('no answer', String(error.cause ?? error.message));
		});
		const { status, headers } = response;
		if (status === 429 || headers.has('retry-after'))
			throw new RateLimited(`the service limits requests (status ${status}); try again later`);
		const text = await response.text();
		return { status, body: parse(text), date: headers.get('date') };
	}

	async get(path: string, query: Query = {}, headers: Record<string, string> = {}) {
		const { accessToken, clientId } = this.settings;
		const search = Object.entries(query).map(
			([name, value]) => `${name}=${encodeURIComponent(value).replace(/%2C/g, ',')}`,
		);
		const url = path.replace('{clientId}', encodeURIComponent(clientId));
		return await this.send(search.length > 0 ? `${url}?${search.join('&')}` : url, {
			headers: { authorization: `Bearer ${accessToken}`, ...headers },
		});
	}

	/** A page of uploads. @throws if the list is refused */
	async uploads(query: Query = {}): Promise<Row[]> {
		const page = { page: 0, size: await this.pageSize(), ...query };
		return recordsOf(await this.get(UPLOADS, page), 'upload list');
	}

	/** The largest size of a page that the upload list accepts. */
	pageSize(): Promise<number> {
		return this.keep('page size', async () => {
			for (const size of [PAGE_SIZE, ...SMALLER_SIZES]) {
				if (!isRefused(await this.get(UPLOADS, { page: 0, size }))) return size;
			}
			return PAGE_SIZE;
		});
	}

	/** A page of uploads in an order, or in any if the service refuses to sort. */
	sorted(orderBy: string): Promise<Row[]> {
		return this.keep(orderBy, async () => {
			const page = { page: 0, size: await this.pageSize() };
			const answer = await this.get(UPLOADS, { ...page, orderBy });
			if (!isRefused(answer)) return recordsOf(answer, 'upload list');
			this.refusesOrder = true;
			return await this.uploads();
		});
	}

	/** The same, as a parameter of other requests. */
	order(orderBy: string): Query {
		return this.refusesOrder ? {} : { orderBy };
	}

	/** The newest and the oldest uploads. */
	async manyUploads(): Promise<Row[]> {
		const both = [await this.sorted('-creationDate'), await this.sorted('creationDate')].flat();
		return [...new Map(both.map((each) => [each.uploadId, each])).values()];
	}

	/** A list without filters. */
	list(path: string): Promise<Row[]> {
		return this.keep(path, async () => {
			const isPaged = path === ENGAGEMENTS;
			const query: Query = isPaged ? { page: 0, size: await this.pageSize() } : {};
			return recordsOf(await this.get(path, query), `${path.replace(/.*\//, '')} list`);
		});
	}

	/** The last uploads of up to 100 engagements: half of them such as have uploads. */
	lastUploads(): Promise<{ ids: Array<Row[string]>; answer: Answer }> {
		return this.keep('last uploads', async () => {
			const shared = (await this.manyUploads()).map(({ engagementId }) => engagementId);
			const listed = (await this.list(ENGAGEMENTS)).map(({ Id }) => Id);
			const some = [...new Set(shared)].slice(0, 50);
			const ids = [...new Set([...some, ...listed])].slice(0, 100);
			const query = { engagementIds: ids.join(), page: 0, size: 100 };
			return { ids, answer: await this.get(LAST_UPLOADS, query) };
		});
	}

	/** What `read` says, which is asked once. */
	keep<T>(name: string, read: () => Promise<T>): Promise<T> {
		const found = (this.kept.get(name) as Promise<T> | undefined) ?? read();
		this.kept.set(name, found);
		return found;
	}

	/** A text without what is secret. */
	hide(text: string): string {
		const { subscriptionKey, accessToken, clientId, tokenFields } = this.settings;
		const secrets = [subscriptionKey, accessToken, clientId, ...Object.values(tokenFields)];
		const forms = secrets.flatMap((each) => [each, encodeURIComponent(each)]);
		return forms
			.filter(({ length }) => length > 10)
			.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
	}
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
