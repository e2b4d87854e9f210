/** Reads from a real account, one request at a time: nothing is written, and no secret is shown. */

export interface ProbeAccount {
	baseUrl: string;
	subscriptionKey: string;
	tokenUrl: string;
	tokenFields: Record<string, string>;
	/** Come with the token, if they are empty. */
	accessToken: string;
	clientId: string;
}

export interface Answer {
	status: number;
	body: unknown;
	/** The service's clock. */
	date: string | null;
}

export type Row = Record<string, unknown>;
type Query = Record<string, string | number>;

export const PAGE_SIZE = 500;
const MAX_REQUESTS = 60;
const TIMEOUT_MS = 60_000;

export const isObject = (value: unknown): value is Row =>
	typeof value === 'object' && value !== null;

/** Where a response holds its records, and these. */
export function findRecords(body: unknown, path = ''): { path: string; records: Row[] } {
	if (Array.isArray(body)) return { path: path || 'bare array', records: body };
	for (const [name, value] of isObject(body) ? Object.entries(body) : []) {
		if (name === 'sort' || !isObject(value)) continue;
		const found = findRecords(value, path === '' ? name : `${path}.${name}`);
		if (found.path !== '') return found;
	}
	return { path: '', records: [] };
}

/** Epoch milliseconds; a time without an offset counts as UTC, since only differences matter. */
export function timeOf(value: unknown): number {
	if (typeof value === 'number') return value;
	const text = String(value).replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
	return Date.parse(/([zZ]|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}

export class Probe {
	requests = 0;

	constructor(private readonly account: ProbeAccount) {}

	async logIn(): Promise<Answer> {
		const { tokenUrl, tokenFields } = this.account;
		const answer = await this.send(tokenUrl, {
			method: 'POST',
			body: new URLSearchParams(tokenFields),
		});
		const { access_token: token, clientId } = isObject(answer.body) ? answer.body : {};
		if (typeof token === 'string') this.account.accessToken ||= token;
		if (typeof clientId === 'string') this.account.clientId ||= clientId;
		return answer;
	}

	async get(path: string, query: Query = {}, headers: Record<string, string> = {}) {
		const { accessToken, clientId } = this.account;
		const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
		return await this.send(`${path.replace('{clientId}', clientId)}?${search.join('&')}`, {
			headers: { authorization: `Bearer ${accessToken}`, ...headers },
		});
	}

	async uploads(query: Query = {}): Promise<Row[]> {
		const page = { page: 0, size: PAGE_SIZE, ...query };
		return findRecords((await this.get('/v1/clients/{clientId}/uploads', page)).body).records;
	}

	redacted(text: string): string {
		const { subscriptionKey, accessToken, clientId, tokenFields } = this.account;
		return [subscriptionKey, accessToken, clientId, ...Object.values(tokenFields)]
			.filter((secret) => secret.length > 10)
			.reduce((safe, secret) => safe.replaceAll(secret, '***'), text);
	}

	private async send(url: string, init: RequestInit): Promise<Answer> {
		this.requests += 1;
		if (this.requests > MAX_REQUESTS) throw new Error(`${MAX_REQUESTS} requests were made`);
		const { baseUrl, subscriptionKey } = this.account;
		const response = await fetch(new URL(url, baseUrl), {
			...init,
			headers: { 'Ocp-Apim-Subscription-Key': subscriptionKey, ...init.headers },
			// A redirect could take the key and the token to another host.
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		const { status, headers } = response;
		if (status === 429 || headers.has('retry-after'))
			throw new Error(`the service limits requests (status ${status})`);
		const text = await response.text();
		return { status, body: parse(text), date: headers.get('date') };
	}
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
