/** Engagements by external ID, many per request. */
import type { Engagement } from '../api/records';
import { listEngagements, MAX_EXTERNAL_IDS } from '../api/endpoints';
import { simplify } from '../output/simplified';
import { Batch } from '../transport/batch';
import type { ServiceClient } from '../transport/client';
import { isNotFound, isRefusal } from '../transport/errors';
import { readList } from '../transport/list';
import { withQuery } from '../transport/url';
import { parseEngagementId } from '../values/ids';
import { InputError } from '../values/inputError';
import { toText } from '../values/text';

const PAGE_SIZE = 100;
const MAX_NAMED = 10;

/** A batch that finds the engagements with an external ID. */
export function engagementsBatch(client: ServiceClient): Batch<Engagement[]> {
	return new Batch({
		fetch: async (externalIds) => await fetchEngagements(client, externalIds),
		maxKeys: MAX_EXTERNAL_IDS,
		maxCharacters: client.remainingLength(
			withQuery(listEngagements().path, { externalEngagementId: '' }),
		),
		parallel: client.options.parallel,
		isRefusal,
	});
}

/** The engagements that have an external ID right now. */
export async function findEngagements(
	client: ServiceClient,
	externalId: string,
): Promise<Engagement[]> {
	return (await fetchEngagements(client, [externalId])).get(externalId) ?? [];
}

/** The ID of the only engagement that was found. @throws InputError if there are none or several */
export function onlyEngagementId(found: Engagement[], externalId: string): number {
	const ids = found.map((record) => simplify(record, 'engagement', { zone: 'UTC' }).engagementId);
	if (ids.length === 1) return parseEngagementId(ids[0], 'Engagement');
	if (ids.length === 0) {
		throw new InputError(
			`No engagement has the External Engagement ID “${externalId}”`,
			'Check the External ID, or choose the Engagement by ID',
		);
	}
	throw new InputError(
		`${ids.length} engagements have the External Engagement ID “${externalId}”: ${ids.slice(0, MAX_NAMED).join(', ')}`,
		'Choose the Engagement by ID',
	);
}

async function fetchEngagements(
	client: ServiceClient,
	externalIds: string[],
): Promise<Map<string, Engagement[]>> {
	const purpose =
		externalIds.length === 1
			? `look up the engagement “${externalIds[0]}”`
			: 'look up engagements by external ID';
	const request = listEngagements({ externalEngagementId: externalIds.join(',') }, purpose);
	const records = await readList(client, request, { pageSize: PAGE_SIZE }).catch(
		(error: unknown) => {
			if (externalIds.length === 1 && isNotFound(error)) return [];
			return Promise.reject(error);
		},
	);
	const found = new Map<string, Engagement[]>();
	for (const record of records) {
		const key = toText(record.externalEngagementId ?? '');
		found.set(key, [...(found.get(key) ?? []), record]);
	}
	return found;
}
