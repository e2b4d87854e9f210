/** Engagements by external ID, many per request. */
import type { Engagement } from '../api/records';
import { listEngagements, MAX_EXTERNAL_IDS } from '../api/endpoints';
import { engagementIdOf } from '../api/shape';
import type { ServiceClient } from '../transport/client';
import type { Call } from '../transport/request';
import { isNotFound } from '../transport/errors';
import { readList } from '../transport/pages';
import { parseEngagementId } from '../values/ids';
import { InputError, listed, quote } from '../values/inputError';
import { comparable, folded, toText } from '../values/text';
import { Batch } from './batch';

const PAGE_SIZE = 100;
const MAX_NAMED = 10;

/** A batch that finds the engagements with an external ID. */
export function engagementsBatch(client: ServiceClient): Batch<Engagement[]> {
	const isListed = listCheck(client);
	return new Batch({
		fetch: async (externalIds, retries) =>
			await fetchEngagements(client, externalIds, isListed, retries),
		maxKeys: MAX_EXTERNAL_IDS,
		maxCharacters: client.remainingLength(listEngagements({ externalEngagementId: '' })),
	});
}

/** The engagements that have an external ID right now. */
export async function findEngagements(
	client: ServiceClient,
	externalId: string,
): Promise<Engagement[]> {
	const found = await fetchEngagements(client, [externalId], listCheck(client));
	return found.get(externalId) ?? [];
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
 * Whether the service lists engagements without a filter, asked once. If it does not, a 404 does not
 * mean that no engagement has an external ID: Return Existing would create a second one.
 */
function listCheck(client: ServiceClient): () => Promise<boolean> {
	let isListed: Promise<boolean> | undefined;
	const list = async () => await readList(client, listEngagements(), { pageSize: 1, limit: 1 });
	return async () =>
		await (isListed ??= list().then(
			() => true,
			() => false,
		));
}

async function fetchEngagements(
	client: ServiceClient,
	externalIds: string[],
	isListed: () => Promise<boolean>,
	options: Pick<Call, 'retriesServerErrors'> = {},
): Promise<Map<string, Engagement[]>> {
	// Only if each request contains one spelling of an ID does its response show whether the service
	// ignores case.
	const bySpelling = new Map(externalIds.toReversed().map((id) => [folded(id), id]));
	const together = externalIds.filter((id) => bySpelling.get(folded(id)) === id);
	const others = externalIds.filter((id) => bySpelling.get(folded(id)) !== id);
	const purpose =
		together.length === 1
			? `look up the engagement ${quote(together[0])}`
			: 'look up engagements by external ID';
	const request = listEngagements({ externalEngagementId: together.join(',') }, purpose);
	const records = await readList(client, { ...request, ...options }, { pageSize: PAGE_SIZE }).catch(
		async (error: unknown) => {
			const isNone = together.length === 1 && isNotFound(error) && (await isListed());
			return isNone ? [] : await Promise.reject(error);
		},
	);
	const found = new Map(together.map((id) => [id, matching(records, id)]));
	if (others.length === 0) return found;
	return new Map([...found, ...(await fetchEngagements(client, others, isListed, options))]);
}

/** The records with an external ID; those in another case only if there is no exact match. */
function matching(records: Engagement[], externalId: string): Engagement[] {
	const idOf = ({ externalEngagementId }: Engagement) => toText(externalEngagementId ?? '');
	const having = (form: (id: string) => string) =>
		records.filter((record) => form(idOf(record)) === form(externalId));
	const exact = having(comparable);
	return exact.length > 0 ? exact : having(folded);
}
