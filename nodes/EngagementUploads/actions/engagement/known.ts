/**
 * Keeps track of the engagements that one run of the node finds and creates, so that none is
 * created twice: with Return Existing, for a second item with the same external ID, or after an
 * unknown outcome.
 */
import type { NodeApiError } from 'n8n-workflow';
import type { Engagement } from '../../api/records';
import { parseExternalId } from '../../fields/engagement';
import { findEngagements } from '../../lookups/engagements';
import { simplify } from '../../output/simplified';
import type { ApiRequest, ServiceClient } from '../../transport/client';
import { isOutcomeUnknown } from '../../transport/errors';
import { parseTime } from '../../values/dates';
import { InputError } from '../../values/inputError';
import { toText } from '../../values/text';
import type { EngagementId } from '../progress';

/** A create that may have succeeded. */
interface Unresolved {
	externalId: string;
	error: NodeApiError;
	/** The advice that the error came with. */
	advice: string;
}

export class KnownEngagements {
	/** Engagements that Return Existing found, by ID. */
	readonly found = new Set<EngagementId>();
	/** External IDs that several engagements have, with the IDs of those engagements. */
	readonly duplicates = new Set<string>();
	private readonly created = new Map<string, Engagement>();
	private readonly ids = new Set<EngagementId>();
	/** External IDs, in lower case, for which a create was sent. */
	private readonly sent = new Set<string>();
	private readonly unresolved = new Map<number, Unresolved>();

	/** Whether a create for this item was sent with an unknown outcome. */
	isUnresolved(index: number): boolean {
		return this.unresolved.has(index);
	}

	/** The engagement with an external ID; `find` looks it up together with those of other items. */
	async existing(
		client: ServiceClient,
		externalId: string,
		find: () => Promise<Engagement[]>,
	): Promise<Engagement | undefined> {
		const created = this.created.get(externalId);
		if (created !== undefined) return created;
		// A create that ended with an error may have succeeded; the service may ignore case.
		const isSent = this.sent.has(externalId.toLowerCase());
		const found = isSent ? await findEngagements(client, externalId) : await find();
		const [first] = found;
		if (first === undefined) return undefined;
		this.recordDuplicates(externalId, found);
		const id = idOf(first);
		if (!this.ids.has(id)) this.found.add(id);
		return first;
	}

	/** Creates an engagement. If the outcome is unknown, the engagement is looked up. */
	async create(
		client: ServiceClient,
		request: ApiRequest<Engagement>,
		index: number,
		externalId: string | undefined,
	): Promise<Engagement> {
		const open = this.unresolved.get(index);
		const record =
			open === undefined
				? await this.send(client, request, index, externalId)
				: await this.resolve(client, open);
		this.unresolved.delete(index);
		this.ids.add(idOf(record));
		if (externalId !== undefined) this.created.set(externalId, record);
		return record;
	}

	private async send(
		client: ServiceClient,
		request: ApiRequest<Engagement>,
		index: number,
		externalId: string | undefined,
	): Promise<Engagement> {
		if (externalId === undefined) return await client.record(request);
		this.sent.add(externalId.toLowerCase());
		return await client.record(request).catch(async (error: unknown) => {
			if (!isOutcomeUnknown(error)) return await Promise.reject(error as Error);
			const open = { externalId, error, advice: error.description ?? '' };
			this.unresolved.set(index, open);
			return await this.resolve(client, open);
		});
	}

	/**
	 * Looks for the engagement that may have been created. @throws the original error, with a note on
	 * what was found
	 */
	private async resolve(client: ServiceClient, open: Unresolved): Promise<Engagement> {
		const { externalId, error, advice } = open;
		const [created, note] = await this.lookUp(client, externalId);
		if (created !== undefined) return created;
		error.description = `${note}. ${advice}`;
		throw error;
	}

	private async lookUp(
		client: ServiceClient,
		externalId: string,
	): Promise<[Engagement | undefined, note: string]> {
		try {
			const found = await findEngagements(client, parseExternalId(externalId, 'The ID'));
			const [created, ...others] = found
				.filter((record) => !this.isKnown(idOf(record)))
				.sort((one, other) => byAge(one, other, client));
			if (created !== undefined && others.length > 0) this.recordDuplicates(externalId, found);
			return found.length === 0
				? [
						created,
						`No engagement with the External Engagement ID “${externalId}” was found afterwards`,
					]
				: [
						created,
						`All engagements with the External Engagement ID “${externalId}” already existed`,
					];
		} catch (error) {
			const { message } = error instanceof InputError ? error : (error as Error);
			return [undefined, `It could not be looked up either: ${message}`];
		}
	}

	private isKnown(id: EngagementId): boolean {
		return this.ids.has(id) || this.found.has(id);
	}

	private recordDuplicates(externalId: string, found: Engagement[]): void {
		if (found.length > 1) this.duplicates.add(`“${externalId}” (${found.map(idOf).join(', ')})`);
	}
}

export function idOf(record: Engagement): EngagementId {
	const { engagementId } = simplify(record, 'engagement', { zone: 'UTC' });
	return typeof engagementId === 'number' ? engagementId : toText(engagementId);
}

/** Without a time, a record counts as new. */
function createdAt(record: Engagement, client: ServiceClient): number {
	return parseTime(record.createdAt, client.zone) ?? Infinity;
}

/** Newest first; for equal times, higher ID first. */
function byAge(one: Engagement, other: Engagement, client: ServiceClient): number {
	const difference = createdAt(other, client) - createdAt(one, client);
	return difference || Number(idOf(other)) - Number(idOf(one));
}
