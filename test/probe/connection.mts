import {
	findSecrets,
	type Credential,
} from '../../nodes/EngagementUploads/transport/credential.ts';
import { resolveAddress } from '../../nodes/EngagementUploads/transport/address.ts';
import { parseJson } from '../../nodes/EngagementUploads/values/objects.ts';
import type { ProbeSettings } from './settings.mts';

/** The most requests that one probe makes. */
export const MAX_REQUESTS = 60;
const TIMEOUT = 60_000;
const MIN_SECRET_LENGTH = 6;

/** With which key and token a request is made. */
export type Identity = 'account' | 'wrong key' | 'wrong token' | 'expired token';

/** A response; `body` is its text, parsed if it is JSON. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: unknown;
}

/** No further request may be made. */
export class Stopped extends Error {}

/** A secret as it may appear in a text. */
function formsOf(secret: string): string[] {
	return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
}

/** Sends the probe's requests one after the other: GET, besides the token request. */
export class Connection {
	/** By identity and URL, without the token request. */
	private readonly answers = new Map<string, Answer>();
	readonly secrets: string[] = [];
	requests = 0;
	private stopped: string | undefined;
	private readonly credential: Credential;

	constructor({ credential, expiredToken }: ProbeSettings) {
		this.credential = credential;
		this.hide(...findSecrets(credential), credential.clientId, expiredToken);
	}

	/** What must not be shown from now on. A shorter value is part of ordinary words. */
	hide(...secrets: string[]): void {
		this.secrets.push(...secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH));
	}

	async requestToken(): Promise<Answer> {
		const { subscriptionKey, tokenRequest } = this.credential;
		if (tokenRequest === undefined) throw new Stopped('there is no token endpoint');
		const { url, asJson, fields } = tokenRequest;
		const form = new URLSearchParams();
		for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
		return await this.send(url, {
			method: 'POST',
			headers: {
				'Content-Type': asJson ? 'application/json' : 'application/x-www-form-urlencoded',
				'Ocp-Apim-Subscription-Key': subscriptionKey,
			},
			body: asJson ? JSON.stringify(fields) : String(form),
		});
	}

	/** The answer to a path with its query, which is requested only once. @throws Stopped */
	async get(url: string, token: string, identity: Identity): Promise<Answer> {
		const known = this.answers.get(identity + url);
		if (known !== undefined) return known;
		const key = identity === 'wrong key' ? 'wrong-key' : this.credential.subscriptionKey;
		const headers = { Authorization: `Bearer ${token}`, 'Ocp-Apim-Subscription-Key': key };
		const answer = await this.send(url, { headers });
		this.answers.set(identity + url, answer);
		return answer;
	}

	/** A text to show. */
	redacted(text: string): string {
		return this.secrets.flatMap(formsOf).reduce((safe, form) => safe.replaceAll(form, '***'), text);
	}

	private async send(url: string, init: RequestInit): Promise<Answer> {
		if (this.requests >= MAX_REQUESTS) this.stopped = `${MAX_REQUESTS} requests were made`;
		if (this.stopped !== undefined) throw new Stopped(this.stopped);
		this.requests += 1;
		// A redirect could take the key and the token to another host.
		const safe = { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) } as const;
		const response = await fetch(resolveAddress(this.credential.base, url), safe).catch(
			(error: Error) => {
				this.stopped = `no answer (${String(error.cause ?? error.message)})`;
				throw new Stopped(this.stopped);
			},
		);
		const { status } = response;
		if (status === 429 || response.headers.has('retry-after')) {
			this.stopped = `the service limits requests (status ${status})`;
		}
		const text = await response.text();
		return { status, headers: Object.fromEntries(response.headers), body: parseJson(text) ?? text };
	}
}
