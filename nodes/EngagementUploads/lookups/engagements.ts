/** Engagements: by external ID, many per request, or by ID, from the list. */
import { listEngagements, MAX_EXTERNAL_IDS } from '../service/endpoints';
import type { Engagement } from '../service/records';
import { engagementIdOf } from '../service/shape';
import type { ServiceClient } from '../transport/client';
import { pages, readList } from '../transport/pages';
import type { ApiRequest } from '../transport/request';
import { parseEngagementId } from '../values/ids';
import { InputError, listed, quote } from '../values/inputError';
import { comparable, folded, toText } from '../values/text';
import { lookUp, type Answers } from './lookUp';

const PAGE_SIZE = 100;
const MAX_NAMED = 10;

/** The engagements with each external ID. */
export async function findByExternalId(
	client: ServiceClient,
	externalIds: Iterable<string>,
): Promise<Answers<Engagement[]>> {
	return await lookUp(externalIds, {
		fetch: async (ids, retries) => await fetchByExternalId(client, ids, retries),
		maxKeys: MAX_EXTERNAL_IDS,
		maxCharacters: client.remainingLength(listEngagements({ externalEngagementId: '' })),
	});
}

async function fetchByExternalId(
	client: ServiceClient,
	ids: string[],
	retries: Pick<ApiRequest, 'isTriedOnce'>,
): Promise<Map<string, Engagement[]>> {
	// Only if each request contains one spelling of an ID does its response show whether the service
	// ignores case.
	const spellings = new Map(ids.map((id) => [folded(id), id]));
	const together = [...spellings.values()];
	const others = ids.filter((id) => !together.includes(id));
	const purpose =
		together.length === 1
			? `look up the engagement ${quote(together[0])}`
			: 'look up engagements by external ID';
	const request = listEngagements({ externalEngagementId: together.join(',') }, purpose);
	const records = await readList(client, { ...request, ...retries }, { pageSize: PAGE_SIZE });
	const found = new Map(together.map((id) => [id, withExternalId(records, id)]));
	if (others.length === 0) return found;
	return new Map([...found, ...(await fetchByExternalId(client, others, retries))]);
}

/** The records with an external ID; those in another case only if there is no exact match. */
function withExternalId(records: Engagement[], externalId: string): Engagement[] {
	const having = (form: (id: string) => string) =>
		records.filter((each) => form(toText(each.externalEngagementId ?? '')) === form(externalId));
	const exact = having(comparable);
	return exact.length > 0 ? exact : having(folded);
}

/** The ID of the only engagement that was found. @throws InputError if there are none or several */
export function onlyEngagementId(
	client: ServiceClient,
	found: Engagement[],
	externalId: string,
): number {
	const ids = found.map((record) => client.shown(engagementIdOf(record)));
	if (ids.length === 1) return parseEngagementId(ids[0], 'Engagement');
	if (ids.length === 0) {
		throw new InputError(
			`No engagement has the External Engagement ID ${quote(externalId)}`,
			'Check the External ID, or set Engagement to By ID',
		);
	}
	throw new InputError(
		`${ids.length} engagements have the External Engagement ID ${quote(externalId)}: ${listed(ids, MAX_NAMED)}`,
		'Set Engagement to By ID',
	);
}

/**
 * Engagements by ID. The service has no request for one of them, so the list is read until all are
 * found.
 */
export async function findById(
	client: ServiceClient,
	request: ApiRequest<Engagement>,
	ids: Iterable<number>,
	pageSize: number,
): Promise<Map<number, Engagement>> {
	const found = new Map<number, Engagement>();
	const missing = new Set(ids);
	if (missing.size === 0) return found;
	for await (const { records } of pages(client, request, { pageSize })) {
		for (const record of records) {
			const id = Number(engagementIdOf(record));
			if (missing.delete(id)) found.set(id, record);
		}
		if (missing.size === 0) break;
	}
	return found;
}
