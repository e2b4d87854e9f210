/** Engagement: chosen from a list, by ID, or by the caller's own (external) ID. */
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
} from 'n8n-workflow';
import type { Item, Run } from '../actions/execution';
import { simplified } from '../output/simplified';
import { toText } from '../values/text';
import { CLIENT_ID } from '../transport/address';
import { Batch } from '../transport/batch';
import { isNotFound, isRefusal } from '../transport/errors';
import { engagement } from '../api/kinds';
import { readList } from '../transport/list';
import type { Call, ServiceClient } from '../transport/client';
import {
	pickField,
	parseEngagementId,
	isEmpty,
	missing,
	queryText,
	InputError,
} from '../values/input';
import { locatorOf, openForSearch, pageToken, printedToken, searchRoom } from './locator';

export const engagementField: INodeProperties = {
	displayName: 'Engagement',
	name: 'engagementId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description:
		'The engagement, which is the record of a customer. The External ID is the one that you gave it yourself.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select an engagement…',
			typeOptions: { searchListMethod: 'searchEngagements', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 1001' },
		{
			displayName: 'By External ID',
			name: 'externalId',
			type: 'string',
			placeholder: 'e.g. CUSTOMER-42',
		},
	],
};

const LIST = `/v1/clients/${CLIENT_ID}/engagements`;
const MOST_EXTERNAL_IDS = 50;
const PAGE_SIZE = 100;
/** Pages in which a search looks for names. */
const SEARCHED_PAGES = 10;

/** Reads the field Engagement; the result looks the ID up where that is needed. */
export function engagementOf(item: Item): () => Promise<number> {
	const { mode, value } = locatorOf(item.value('engagementId'), 'id');
	if (mode !== 'externalId') {
		const id = item.read('engagementId', 'Engagement ID', (_, field) =>
			parseEngagementId(value, field),
		);
		return async () => id;
	}
	const external = item.read('engagementId', 'External Engagement ID', (_, field) =>
		externalId(value, field),
	);
	const found = lookUpExternalId(item.run, external);
	return async () => {
		const records = await found();
		const ids = records.map(
			(record) => simplified(record, 'engagement', { zone: 'UTC' }).engagementId,
		);
		if (ids.length === 1)
			return item.read('engagementId', 'Engagement ID', (_, field) =>
				parseEngagementId(ids[0], field),
			);
		const many = `${ids.length} engagements have the External Engagement ID “${external}”: ${ids.slice(0, 10).join(', ')}`;
		throw item.refusal(
			ids.length === 0
				? new InputError(
						`No engagement has the External Engagement ID “${external}”`,
						'Check the External ID, or choose the Engagement by ID',
					)
				: new InputError(many, 'Choose the Engagement by ID'),
		);
	};
}

/** An external ID, which the service takes in comma-separated lists. */
export function externalId(value: unknown, field: string): string {
	const text = queryText(pickField(value, 'externalEngagementId'), field);
	if (text === undefined) throw missing(field);
	if (!text.includes(',')) return text;
	throw new InputError(
		`${field} “${text}” holds a comma`,
		'The service separates external IDs by commas: choose the Engagement by ID',
	);
}

/** The engagements with an external ID; those of all items are looked up together. */
export function lookUpExternalId(run: Run, external: string): () => Promise<IDataObject[]> {
	const batch = run.shared('external IDs', () => externalIdBatch(run.service));
	batch.add(external);
	return async () => (await batch.get(external)) ?? [];
}

/** The engagements that have an external ID at this moment. */
export async function lookUpNow(service: ServiceClient, external: string): Promise<IDataObject[]> {
	return (await fetchExternalIds(service, [external])).get(external) ?? [];
}

function externalIdBatch(service: ServiceClient): Batch<IDataObject[]> {
	return new Batch({
		fetch: async (keys) => await fetchExternalIds(service, keys),
		most: MOST_EXTERNAL_IDS,
		mostCharacters: service.roomIn(`${LIST}?externalEngagementId=`),
		parallel: service.options.parallel,
		isRefusal,
	});
}

async function fetchExternalIds(
	service: ServiceClient,
	keys: string[],
): Promise<Map<string, IDataObject[]>> {
	const call: Call = {
		method: 'GET',
		path: LIST,
		query: { externalEngagementId: keys.join(',') },
		purpose:
			keys.length === 1
				? `look up the engagement “${keys[0]}”`
				: 'look up engagements by external ID',
	};
	const records = await readList(service, call, engagement, { pageSize: PAGE_SIZE }).catch(
		(error: unknown) => {
			if (keys.length === 1 && isNotFound(error)) return [];
			return Promise.reject(error);
		},
	);
	const found = new Map<string, IDataObject[]>();
	for (const record of records) {
		const key = toText(record.externalEngagementId ?? '');
		found.set(key, [...(found.get(key) ?? []), record]);
	}
	return found;
}

/** The list behind From List: engagements by external ID exactly, or by a part of their name. */
export async function searchEngagements(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const service = await openForSearch(this);
	const call: Call = { method: 'GET', path: LIST, purpose: 'list the engagements' };
	if (isEmpty(filter)) {
		const { page, begin } = pageToken(paginationToken);
		const answer = await service.page({ ...call, query: { page, size: PAGE_SIZE } }, engagement);
		const results = answer.records.map(entryOf);
		const [first] = results;
		// A service that knows no end sends its last page, or its only one, again and again.
		if (first === undefined || first.value === begin) return { results: [] };
		const { last, totalPages = Infinity } = answer.page;
		const isLast = last === true || page + 1 >= totalPages;
		const next = printedToken({ page: page + 1, begin: first.value });
		return { results, paginationToken: isLast ? undefined : next };
	}
	const wanted = String(filter).trim();
	const [exact, named] = await Promise.all([
		wanted.includes(',') ? [] : lookUpNow(service, wanted),
		readList(service, call, engagement, { pageSize: PAGE_SIZE, pages: SEARCHED_PAGES }),
	]);
	const matching = named
		.map(entryOf)
		.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
	return { results: searchRoom([...exact.map(entryOf), ...matching]) };
}

function entryOf(record: IDataObject): { name: string; value: string } {
	const { engagementId, name, smeName, externalEngagementId } = simplified(record, 'engagement', {
		zone: 'UTC',
	});
	const title = name ?? smeName;
	// Customers of the same name are told apart by an ID.
	const apart = isEmpty(externalEngagementId) ? `ID ${engagementId}` : externalEngagementId;
	return {
		name: isEmpty(title) ? String(apart) : `${String(title)} (${String(apart)})`,
		value: String(engagementId),
	};
}
