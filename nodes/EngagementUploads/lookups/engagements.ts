/** Engagements: by external ID, many per request, or by ID, from the list. */
import { listEngagements, MAX_EXTERNAL_IDS } from '../service/endpoints';
import { readEngagementId, type Engagement } from '../service/records';
import type { ServiceClient } from '../transport/client';
import { readList } from '../transport/pages';
import { parseEngagementId } from '../values/ids';
import { InputError, joinFirst, quote } from '../values/inputError';
import { groupBy } from '../values/objects';
import { normalizeText, toText } from '../values/text';
import { lookUp, type Answers } from './lookUp';
import { PAGE_SIZE } from '../fields/options';

/** The engagements with each external ID, as it is: IDs that differ in case may be those of two customers. */
export async function findByExternalId(
	client: ServiceClient,
	externalIds: Iterable<string>,
): Promise<Answers<Engagement[]>> {
	return await lookUp(externalIds, {
		async fetch(ids) {
			const whose =
				ids.length === 1 ? `the engagement ${quote(ids[0])}` : 'engagements by external ID';
			const query = { externalEngagementId: ids.join(',') };
			const request = listEngagements(query, `look up ${whose}`);
			const records = await readList(client, request, { pageSize: PAGE_SIZE });
			return groupBy(records, (each) => normalizeText(toText(each.externalEngagementId ?? '')));
		},
		maxKeys: MAX_EXTERNAL_IDS,
	});
}

/** The only engagement that was found for an external ID, if any. @throws InputError if there are several */
export function onlyEngagement(
	client: ServiceClient,
	found: Engagement[] | undefined,
	externalId: string,
	advice = 'Set Engagement to By ID',
): Engagement | undefined {
	if (found === undefined || found.length < 2) return found?.[0];
	const ids = found.map((record) => showEngagementId(client, record));
	throw new InputError(
		`${ids.length} engagements have the External Engagement ID ${quote(externalId)}: ${joinFirst(ids)}`,
		advice,
	);
}

/** The same, but there must be one. @throws InputError if there are none or several */
export function singleEngagement(
	client: ServiceClient,
	found: Engagement[] | undefined,
	externalId: string,
): Engagement {
	const record = onlyEngagement(client, found, externalId);
	if (record !== undefined) return record;
	throw new InputError(
		`No engagement has the External Engagement ID ${quote(externalId)}`,
		'Check the External ID, also its upper and lower case, or set Engagement to By ID',
	);
}

/** The ID of an engagement, safe to show: a number as it is, anything else redacted. */
export function showEngagementId(client: ServiceClient, record: Engagement): number | string {
	const id = readEngagementId(record);
	return typeof id === 'number' ? id : client.toSafeText(id);
}

/** The ID in the record of an engagement, as a number. @throws InputError if it is none */
export function toEngagementId(client: ServiceClient, record: Engagement = {}): number {
	return parseEngagementId(showEngagementId(client, record), 'Engagement');
}

/** Engagements by ID. The service cannot return a single one, so the list is read until all are found. */
export async function findById(
	client: ServiceClient,
	ids: Iterable<number>,
): Promise<Map<number, Engagement>> {
	const sought = new Set(ids);
	if (sought.size === 0) return new Map();
	const idOf = (record: Engagement) => Number(readEngagementId(record));
	const found = await readList(client, listEngagements(), {
		pageSize: PAGE_SIZE,
		limit: sought.size,
		matches: (record) => sought.has(idOf(record)),
	});
	return new Map(found.map((record) => [idOf(record), record]));
}
