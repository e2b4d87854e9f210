/**
 * Keeps track of the engagements that one run of the node finds and creates, so that none is
 * created twice: with Return Existing, for a second item with the same external ID, or after an
 * unknown outcome. Invariant: as long as it is unknown whether an engagement was created, no other
 * item creates one with its external ID, in whatever case.
 */
import type { NodeApiError } from 'n8n-workflow';
import type { Engagement } from '../../api/records';
import { engagementIdOf } from '../../api/shape';
import { parseExternalId } from '../../fields/engagement';
import { findEngagements } from '../../search/engagementsById';
import { simplify } from '../../output/simplified';
import type { ServiceClient } from '../../transport/client';
import type { ApiRequest } from '../../transport/request';
import { isOutcomeUnknown, reportOf } from '../../transport/failures/errors';
import { systemClock } from '../../transport/http/pool';
import { parseTime } from '../../values/dates';
import { InputError, listed, quote } from '../../values/inputError';
import { valueAt } from '../../values/objects';
import { folded, isAbsent } from '../../values/text';

/**
 * How far the service's clocks may differ; its times come to the second. An engagement of the same
 * name that somebody else created within this time cannot be told apart.
 */
const TOLERANCE = 5_000;
const MAX_NAMED = 10;

/** The ID of an engagement, as errors and hints name it. */
export type EngagementId = number | string;

/** The create of an item. */
interface Creation {
	request: ApiRequest<Engagement>;
	/** as it is in the request */
	externalId: string;
	/**
	 * With Return Existing: looks up the external ID, together with those of other items. What is not
	 * found then, but later, is new.
	 */
	find?(): Promise<Engagement[]>;
}

/** A create that may have succeeded. */
interface Unresolved extends Creation {
	/** milliseconds of the clock */
	sentAt: number;
	error: NodeApiError;
}

export class KnownEngagements {
	/** Engagements that Return Existing found, by ID. */
	readonly found = new Set<EngagementId>();
	/** External IDs that several engagements have, with the IDs of those engagements. */
	readonly duplicates = new Set<string>();
	private readonly created = new Map<string, Engagement>();
	private readonly createdIds = new Set<EngagementId>();
	/** External IDs, in lower case, for which a create was sent. */
	private readonly sent = new Set<string>();
	/** By external ID in lower case. */
	private readonly unresolved = new Map<string, Unresolved>();

	/**
	 * The engagement with an external ID, which Return Existing finds, or which is created. If the
	 * outcome of that is unknown, the engagement is looked up.
	 */
	async provide(
		client: ServiceClient,
		creation: Creation,
	): Promise<{ record: Engagement; isCreated: boolean }> {
		const { request, externalId } = creation;
		const key = externalId.toLowerCase();
		const open = this.unresolved.get(key);
		if (open?.request.itemIndex !== request.itemIndex) {
			const existing = await this.existing(client, creation);
			if (existing !== undefined) return { record: existing, isCreated: false };
			if (open !== undefined) throw notCreated(open);
		}
		this.sent.add(key);
		const record = await (open ? this.resolve(client, open) : this.create(client, creation));
		this.unresolved.delete(key);
		this.created.set(externalId, record);
		this.createdIds.add(idOf(record, client));
		return { record, isCreated: true };
	}

	private async existing(
		client: ServiceClient,
		{ externalId, find }: Creation,
	): Promise<Engagement | undefined> {
		if (find === undefined) return undefined;
		const created = this.created.get(externalId);
		if (created !== undefined) return created;
		const key = externalId.toLowerCase();
		// A create that ended with an error may have succeeded; the service may ignore case.
		const found = await (this.sent.has(key) ? findEngagements(client, externalId) : find());
		const [first] = found;
		if (first === undefined) return undefined;
		this.recordDuplicates(externalId, found, client);
		const id = idOf(first, client);
		// Otherwise it may be the one whose creation has an unknown outcome.
		if (!this.createdIds.has(id) && !this.unresolved.has(key)) this.found.add(id);
		return first;
	}

	private async create(client: ServiceClient, creation: Creation): Promise<Engagement> {
		const sentAt = systemClock.now();
		return await client.record(creation.request).catch(async (error: unknown) => {
			if (!isOutcomeUnknown(error)) return await Promise.reject(error as Error);
			const open = { ...creation, sentAt, error };
			this.unresolved.set(creation.externalId.toLowerCase(), open);
			return await this.resolve(client, open);
		});
	}

	/**
	 * Looks for the engagement that may have been created. @throws the original error, with a note on
	 * what was found
	 */
	private async resolve(client: ServiceClient, open: Unresolved): Promise<Engagement> {
		const created = await this.lookUp(client, open);
		if (typeof created !== 'string') return created;
		// With the advice that the error came with: its description may hold an earlier note.
		open.error.description = `${created}. ${reportOf(open.error)?.advice}`;
		throw open.error;
	}

	/** The engagement that was created, or a note on what was found instead. */
	private async lookUp(client: ServiceClient, open: Unresolved): Promise<Engagement | string> {
		const { externalId } = open;
		try {
			const found = await findEngagements(client, parseExternalId(externalId, 'The ID'));
			const isNew = (record: Engagement) => this.isNew(record, open, client);
			// IDs grow: the newest of them is the one that was created last.
			const idNumber = (record: Engagement) => Number(idOf(record, client));
			const [created, ...others] = found.filter(isNew).sort((a, b) => idNumber(b) - idNumber(a));
			if (others.length > 0) this.recordDuplicates(externalId, found, client);
			if (created !== undefined) return created;
			const ofId = `with the External Engagement ID ${quote(externalId)}`;
			return found.length === 0
				? `No engagement ${ofId} was found afterwards`
				: `All engagements ${ofId} already existed`;
		} catch (error) {
			return `It could not be looked up either: ${(error as Error).message}`;
		}
	}

	/**
	 * Whether an engagement was not there before the create. If nothing is known of that, it is new if
	 * it has the name that was sent, and was not created earlier by the service's clock.
	 */
	private isNew(record: Engagement, open: Unresolved, client: ServiceClient): boolean {
		const id = idOf(record, client);
		if (this.createdIds.has(id) || this.found.has(id)) return false;
		if (open.find !== undefined) return true;
		const sentAt = client.serviceTime - (systemClock.now() - open.sentAt);
		const createdAt = parseTime(record.createdAt, client.zone) ?? -Infinity;
		if (createdAt < sentAt - TOLERANCE) return false;
		const { name, smeName } = simplify(record, 'engagement', { zone: client.zone });
		const names = [name, smeName].filter((each) => !isAbsent(each)).map(folded);
		return names.length === 0 || names.includes(folded(valueAt(open.request.body, 'sme.name')));
	}

	private recordDuplicates(externalId: string, found: Engagement[], client: ServiceClient): void {
		const ids = found.map((record) => idOf(record, client));
		if (ids.length > 1) this.duplicates.add(`${quote(externalId)} (${listed(ids, MAX_NAMED)})`);
	}
}

/** The ID of an engagement, as it may appear in messages. */
export function idOf(record: Engagement, client: ServiceClient): EngagementId {
	const id = engagementIdOf(record);
	return typeof id === 'number' ? id : client.shown(id);
}

function notCreated({ externalId }: Unresolved): InputError {
	return new InputError(
		`Not created: it is unknown whether an earlier item created an engagement with the External Engagement ID ${quote(externalId)}`,
		'Check the service before running this again',
	);
}
