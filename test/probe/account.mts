import type { IDataObject } from 'n8n-workflow';

import * as endpoints from '../../nodes/EngagementUploads/service/endpoints.ts';
import type { Engagement, Upload } from '../../nodes/EngagementUploads/service/records.ts';
import type { ApiRequest } from '../../nodes/EngagementUploads/transport/request.ts';
import {
	type Query,
	withClientId,
	withQuery,
} from '../../nodes/EngagementUploads/transport/address.ts';
import { readPage, type RecordPage } from '../../nodes/EngagementUploads/transport/responses.ts';
import { parseTime } from '../../nodes/EngagementUploads/values/dates.ts';
import { isObject } from '../../nodes/EngagementUploads/values/objects.ts';
import { Stopped, type Answer, type Connection, type Identity } from './connection.mts';
import type { ProbeSettings } from './settings.mts';

/** The page size that the nodes request. */
export const PAGE_SIZE = 500;
export const FIRST_PAGE = { page: 0, size: PAGE_SIZE };
/** No engagement has this ID. */
export const NO_ENGAGEMENT = 999_999_999;

const TOKEN_NAMES = ['access_token', 'accessToken', 'token'];

/** A page as the nodes read it, and the response that it came in. */
export interface ListAnswer<T extends IDataObject> extends RecordPage<T> {
	answer: Answer;
	/** Why the nodes cannot read it. */
	why?: string;
}

/** The account, seen through the nodes' own endpoints and parsers. */
export class Account {
	private clientId: string;
	private token: string;

	constructor(
		readonly connection: Connection,
		readonly settings: ProbeSettings,
	) {
		this.clientId = settings.credential.clientId;
		this.token = settings.credential.token;
	}

	/** Requests a token. */
	async logIn(): Promise<{ answer: Answer; tokenName?: string; clientId: string }> {
		const answer = await this.connection.requestToken();
		const fields = isObject(answer.body) ? answer.body : {};
		const tokenName = TOKEN_NAMES.find((name) => typeof fields[name] === 'string');
		const clientId = String(fields.clientId ?? '');
		this.token = String(fields[tokenName ?? ''] ?? '');
		this.clientId ||= clientId;
		this.connection.hide(this.token, clientId);
		return { answer, tokenName, clientId };
	}

	/** The answer to a request, whatever it is. @throws Stopped */
	async ask(request: ApiRequest, identity: Identity = 'account'): Promise<Answer> {
		if (this.token === '' || this.clientId === '') throw new Stopped('no token or no client ID');
		const url = withClientId(withQuery(request.path, request.query ?? {}), this.clientId);
		const tokens = { 'wrong token': 'wrong-token', 'expired token': this.settings.expiredToken };
		const token = { ...tokens, account: this.token, 'wrong key': this.token }[identity];
		return await this.connection.get(url, token, identity);
	}

	/** A page of a list. @throws Stopped */
	async list<T extends IDataObject>(request: ApiRequest<T>): Promise<ListAnswer<T>> {
		const answer = await this.ask(request);
		if (answer.status !== 200)
			return { answer, records: [], page: {}, why: `status ${answer.status}` };
		try {
			return { answer, ...readPage(answer.body, request.kind) };
		} catch (error) {
			return { answer, records: [], page: {}, why: (error as Error).message };
		}
	}

	async engagements(query: Query = FIRST_PAGE): Promise<ListAnswer<Engagement>> {
		return await this.list(endpoints.listEngagements(query));
	}

	async uploads(query: Query = FIRST_PAGE): Promise<ListAnswer<Upload>> {
		return await this.list(endpoints.listUploads(query));
	}

	/** The uploads that were created last, or if the service sorts nothing, some uploads. */
	async newestUploads(): Promise<Upload[]> {
		const sorted = await this.uploads({ ...FIRST_PAGE, orderBy: '-creationDate' });
		return sorted.why === undefined ? sorted.records : (await this.uploads()).records;
	}

	/** A time from the service, as the nodes read it. */
	timeOf(value: unknown): number | undefined {
		return parseTime(value, this.settings.credential.zone);
	}
}
