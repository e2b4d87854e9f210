/** Upload > Get Last (docs/service.md#last-uploads): many items share a request. */
import { readEngagementId, type Engagement } from '../../service/records';
import type { Upload } from '../../service/uploadRecords';
import { choice, dependent, required, text } from '../../fields/field';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { findByExternalId, singleEngagementId } from '../../lookups/engagements';
import type { Answers } from '../../lookups/lookUp';
import { findLastUploads } from '../../lookups/uploads';
import { parseExternalIds, parseIds } from '../../values/ids';
import { InputError, joinFirst, quote } from '../../values/inputError';
import { toText } from '../../values/text';
import type { ItemOf } from '../item';
import { defineOperation } from '../operation';
import type { Run } from '../run';

const fields = {
	engagementsBy: choice('Engagements By', 'Which IDs to enter', 'id', {
		externalId: ['External ID', 'Your own IDs for the customers'],
		id: ['ID', "The service's IDs"],
	}),
	// Neither is marked as required: with an expression in Engagements By, n8n would require both.
	engagementIds: dependent(
		{ show: { engagementsBy: ['id'] } },
		text(
			'Engagement IDs',
			'One or more engagement IDs, separated by commas. You can drag engagementId here from an earlier node.',
			required(parseIds),
			{ placeholder: 'e.g. 1001, 1002' },
		),
	),
	externalEngagementIds: dependent(
		{ show: { engagementsBy: ['externalId'] } },
		text(
			'External Engagement IDs',
			'One or more of your own IDs, separated by commas. The output has them as externalEngagementId.',
			required(parseExternalIds),
			{ placeholder: 'e.g. CUSTOMER-42, CUSTOMER-43' },
		),
	),
	...output('lastUpload'),
	options: options('includeMissing', 'pageSize'),
};

type LastItem = ItemOf<typeof fields>;

export const getLastUpload = defineOperation({
	resource: 'upload',
	operation: 'getLast',
	name: 'Get Last',
	action: 'Get last upload of each engagement',
	description: 'Get the latest upload of one or more engagements',
	fields,
	async readTogether(items, { customQuery: query, pageSize, timeout }, run) {
		const { client, memory } = run;
		const externalIds = items.flatMap(({ values }) => values.externalEngagementIds ?? []);
		const lookup = { spellings: memory.externalIds, query, timeout };
		const engagements = await findByExternalId(client, externalIds, lookup);
		const ids = [
			...items.flatMap(({ values }) => values.engagementIds ?? []),
			...[...engagements.values.values()].flat().map(readEngagementId),
		].map(toText);
		const options = { query, pageSize, timeout };
		const uploads = await findLastUploads(client, ids, options);
		await run.readEach(items, async (item) =>
			findTargets(item, engagements, run).flatMap((each) =>
				toRecords(each, uploads.get(String(each.id)), item, run),
			),
		);
	},
});

/** An engagement whose last upload is asked for; without an ID, nobody has the external ID. */
interface Target {
	id?: number;
	externalId?: string;
}

/** @throws InputError that names the external IDs that nobody has, unless Include Missing is on */
function findTargets(
	{ values: { engagementIds = [], externalEngagementIds = [], options: own } }: LastItem,
	engagements: Answers<Engagement[]>,
	{ client }: Run,
): Target[] {
	const found = externalEngagementIds.map((id) => [id, engagements.get(id) ?? []] as const);
	const missing = found.filter(([, records]) => records.length === 0).map(([id]) => quote(id));
	if (missing.length > 0 && !own.includeMissing) {
		throw new InputError(
			`No engagement was found for ${joinFirst(missing)} in External Engagement IDs`,
			'Check what you entered, or turn on Include Missing in Options to get an item for each missing engagement',
		);
	}
	return [
		...engagementIds.map((id) => ({ id })),
		...found.map(([externalId, records]) =>
			records.length === 0
				? { externalId }
				: { externalId, id: singleEngagementId(client, records, externalId) },
		),
	];
}

/** The record for an engagement; without an upload, there is none, except with Include Missing. */
function toRecords(
	{ id, externalId }: Target,
	upload: Upload | undefined,
	item: LastItem,
	{ hints }: Run,
) {
	const { output: form, options: own } = item.values;
	const external = externalId !== undefined && { externalEngagementId: externalId };
	if (upload !== undefined)
		return [{ ...item.output(upload, 'lastUpload', id), ...(form !== 'raw' && external) }];
	const missing = { engagementId: id ?? null, uploadId: null };
	if (own.includeMissing)
		return [{ ...item.output(missing, 'lastUpload', id), ...missing, ...external }];
	hints.add('withoutUpload', externalId ?? id ?? '');
	return [];
}
