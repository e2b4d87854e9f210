/** Engagements: by external ID, many per request, or by ID, from the list. */
import { listEngagements, MAX_EXTERNAL_IDS } from '../service/endpoints';
import { readEngagementId, type Engagement } from '../service/records';
import type { ServiceClient } from '../transport/client';
import { pages, readList } from '../transport/pages';
import type { Call, Query } from '../transport/request';
import { parseEngagementId } from '../values/ids';
import { InputError, joinFirst, quote } from '../values/inputError';
import { groupBy } from '../values/objects';
import { normalizeText, foldCase, toText } from '../values/text';
import { Answers, lookUp } from './lookUp';

const PAGE_SIZE = 100;

/** How to look up external IDs. */
interface ExternalIdOptions {
	/** All external IDs of the run. One that occurs in several cases is only matched exactly. */
	spellings: Iterable<string>;
	query?: Query;
	/** milliseconds */
	timeout?: number;
}

/** The engagements with each external ID, or else the only one that has it in another case. */
export async function findByExternalId(
	client: ServiceClient,
	externalIds: Iterable<string>,
	{ spellings, query, timeout }: ExternalIdOptions,
): Promise<Answers<Engagement[]>> {
	const exactOnly = findAmbiguousIds(spellings);
	return await lookUp(externalIds, {
		async fetch(ids, retries) {
			const whose =
				ids.length === 1 ? `the engagement ${quote(ids[0])}` : 'engagements by external ID';
			const request = listEngagements(
				{ externalEngagementId: ids.join(','), ...query },
				`look up ${whose}`,
			);
			const call = { ...request, timeout, ...retries };
			const records = await readList(client, call, { pageSize: PAGE_SIZE });
			const byId = groupBy(records, (each) => foldCase(each.externalEngagementId));
			return new Map(
				ids.map((id) => {
					const inAnyCase = byId.get(foldCase(id)) ?? [];
					const exact = inAnyCase.filter((each) => normalizedId(each) === normalizeText(id));
					const isUnique = exact.length === 0 && inAnyCase.length === 1;
					return [id, isUnique && !exactOnly.has(foldCase(id)) ? inAnyCase : exact];
				}),
			);
		},
		maxKeys: MAX_EXTERNAL_IDS,
	});
}

function normalizedId({ externalEngagementId }: Engagement): string {
	return normalizeText(toText(externalEngagementId ?? ''));
}

/** IDs that occur in several cases, and so belong to several customers; in lower case. */
export function findAmbiguousIds(ids: Iterable<string>): Set<string> {
	const spellings = groupBy(new Set(Array.from(ids, normalizeText)), foldCase);
	return new Set([...spellings.keys()].filter((id) => spellings.get(id)?.length !== 1));
}

/** The ID of the only engagement that was found. @throws InputError if there are none or several */
export function singleEngagementId(
	client: ServiceClient,
	found: Engagement[],
	externalId: string,
): number {
	const ids = found.map((record) => showEngagementId(client, record));
	if (ids.length === 1) return parseEngagementId(ids[0], 'Engagement');
	if (ids.length === 0) {
		throw new InputError(
			`No engagement has the External Engagement ID ${quote(externalId)}`,
			'Check the External ID, or set Engagement to By ID. A new engagement may not be listed yet',
		);
	}
	throw new InputError(
		`${ids.length} engagements have the External Engagement ID ${quote(externalId)}: ${joinFirst(ids)}`,
		'Set Engagement to By ID',
	);
}

/** The ID of an engagement, safe to show: a number as it is, anything else redacted. */
export function showEngagementId(client: ServiceClient, record: Engagement): number | string {
	const id = readEngagementId(record);
	return typeof id === 'number' ? id : client.toSafeText(id);
}

/**
 * Engagements by ID. The service cannot return a single one, so the list is read until all are found. If that
 * fails, those on earlier pages count.
 */
export async function findById(
	client: ServiceClient,
	request: Call<Engagement>,
	ids: Iterable<string>,
	pageSize: number,
): Promise<Answers<Engagement>> {
	const answers = new Answers<Engagement>();
	const missing = new Set(ids);
	if (missing.size === 0) return answers;
	try {
		for await (const { records } of pages(client, request, { pageSize })) {
			for (const record of records) {
				const id = toText(readEngagementId(record));
				if (missing.delete(id)) answers.values.set(id, record);
			}
			if (missing.size === 0) break;
		}
	} catch (error) {
		for (const id of missing) answers.errors.set(id, error);
	}
	return answers;
}
