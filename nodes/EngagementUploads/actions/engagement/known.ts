/**
 * Keeps track of the engagements with an external ID that one run of the node finds and creates.
 * Invariants: with Return Existing, none is created twice; and as long as it is unknown whether an
 * engagement was created, no other item creates one with its external ID, in whatever case.
 */
import type { Engagement } from '../../api/records';
import { engagementIdOf } from '../../api/shape';
import { findEngagements } from '../../search/engagementsById';
import type { ServiceClient } from '../../transport/client';
import { isOutcomeUnknown } from '../../transport/errors';
import type { ApiRequest } from '../../transport/request';
import { InputError, listed, quote } from '../../values/inputError';
import { comparable, folded } from '../../values/text';

const MAX_NAMED = 10;

/** The ID of an engagement, as errors and hints name it. */
type EngagementId = number | string;

/** The create of an item. */
interface Creation {
	request: ApiRequest<Engagement>;
	/** as it is in the request */
	externalId: string;
	/** With Return Existing: looks up the external ID, together with those of other items. */
	find?(): Promise<Engagement[]>;
}

export class KnownEngagements {
	/** Engagements that Return Existing found, by ID. */
	readonly found = new Set<EngagementId>();
	/** External IDs that several engagements have, with the IDs of those engagements. */
	readonly duplicates = new Set<string>();
	private readonly created = new Map<string, Engagement>();
	/** External IDs for which a create was sent, in lower case. */
	private readonly sent = new Set<string>();
	/** Those for which the outcome of one is unknown, as they were sent, by lower case. */
	private readonly unknown = new Map<string, string>();

	/** The engagement with an external ID, which Return Existing finds, or which is created. */
	async provide(
		client: ServiceClient,
		creation: Creation,
	): Promise<{ record: Engagement; isCreated: boolean }> {
		const { request, externalId, find } = creation;
		const key = folded(externalId);
		const existing = find && (await this.existing(client, externalId, find));
		if (existing !== undefined) return { record: existing, isCreated: false };
		const unknown = this.unknown.get(key);
		if (unknown !== undefined) throw notCreated(unknown);
		this.sent.add(key);
		const record = await client.record(request).catch(async (error: unknown) => {
			if (isOutcomeUnknown(error)) this.unknown.set(key, externalId);
			return await Promise.reject(error as Error);
		});
		this.created.set(comparable(externalId), record);
		return { record, isCreated: true };
	}

	private async existing(
		client: ServiceClient,
		externalId: string,
		find: () => Promise<Engagement[]>,
	): Promise<Engagement | undefined> {
		const created = this.created.get(comparable(externalId));
		if (created !== undefined) return created;
		// The service may ignore case, and a create with an unknown outcome may have succeeded.
		const isSent = this.sent.has(folded(externalId));
		const found = await (isSent ? findEngagements(client, externalId) : find());
		const ids = found.map((record) => idOf(record, client));
		if (ids.length > 1) this.duplicates.add(`${quote(externalId)} (${listed(ids, MAX_NAMED)})`);
		if (!isSent) for (const id of ids.slice(0, 1)) this.found.add(id);
		return found[0];
	}
}

/** The ID of an engagement, as it may appear in messages. */
export function idOf(record: Engagement, client: ServiceClient): EngagementId {
	const id = engagementIdOf(record);
	return typeof id === 'number' ? id : client.shown(id);
}

function notCreated(externalId: string): InputError {
	return new InputError(
		`Not created: it is unknown whether an earlier item created an engagement with the External Engagement ID ${quote(externalId)}`,
		'Check the service before running this again',
	);
}
