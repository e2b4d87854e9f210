/** Engagement > Create (docs/service.md#engagements). */
import * as api from '../../service/endpoints';
import type { Engagement } from '../../service/records';
import { readEngagementId } from '../../service/shape';
import { collection, flag, optional, text, type Values } from '../../fields/field';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { findByExternalId } from '../../lookups/engagements';
import type { Answers } from '../../lookups/lookUp';
import type { ServiceClient } from '../../transport/client';
import type { ApiRequest } from '../../transport/request';
import { parseExternalId } from '../../values/ids';
import { quote } from '../../values/inputError';
import {
	comparable,
	folded,
	isEmpty,
	optionalText,
	requiredText,
	toText,
	trimmed,
} from '../../values/text';
import type { ItemOf } from '../item';
import { ExternalIds } from '../items';
import { defineOperation } from '../operation';
import type { Result } from '../retryMemory';
import type { Run } from '../run';

const detail = (displayName: string, description: string, placeholder: string) =>
	text(displayName, description, optionalText, { placeholder });
const contact = (label: string, what: string, placeholder: string) =>
	detail(
		label,
		`${what} of the customer's contact. The service needs it with Use Portal.`,
		placeholder,
	);
const choice = (displayName: string, description: string) =>
	optional(flag(displayName, description), true);

const more = {
	contactEmail: contact('Contact Email', 'Email', 'e.g. name@email.com'),
	contactFirstName: contact('Contact First Name', 'First name', 'e.g. Nathan'),
	contactLastName: contact('Contact Last Name', 'Last name', 'e.g. Smith'),
	externalEngagementId: detail(
		'External Engagement ID',
		'Your own ID for the customer, such as a CRM number. You can use it to find the engagement later.',
		'e.g. CUSTOMER-42',
	),
	returnExisting: flag(
		'Return Existing',
		'Whether to return an existing engagement with this External Engagement ID instead of creating another. Requires External Engagement ID.',
		{ default: true },
	),
	usePassthrough: choice(
		'Use Passthrough',
		'Whether the engagement is for passthrough uploads. The service then creates a contact for it.',
	),
	usePortal: choice(
		'Use Portal',
		"Whether the customer uses the service's portal. The service then creates a contact from the first name, last name and email.",
	),
};

const fields = {
	name: text('Name', "Name of the engagement, usually the customer's name", requiredText, {
		required: true,
		placeholder: 'e.g. Nordlicht Trading Ltd',
	}),
	additionalFields: collection('Additional Fields', 'Add field', more),
	...output('engagement'),
	options: options('customBody'),
};

type CreateItem = ItemOf<typeof fields>;

export const createEngagement = defineOperation({
	resource: 'engagement',
	operation: 'create',
	name: 'Create',
	action: 'Create engagement',
	description:
		"Create a customer's record, for which uploads can then be started. Adds an engagement to the service.",
	fields,
	progress: 'Engagements created',
	check(values) {
		if (!values.additionalFields.returnExisting) return;
		parseExternalId(findExternalId(values), more.externalEngagementId.property.displayName);
	},
	async execute(items, run) {
		const spellings = run.memory.part(ExternalIds);
		for (const { values } of items) {
			const externalId = findExternalId(values);
			if (externalId !== undefined) spellings.add(externalId);
		}
		const returning = items.filter(({ values }) => values.additionalFields.returnExisting);
		const ids = returning.flatMap(({ values }) => findExternalId(values) ?? []);
		const existing = await findByExternalId(run.client, ids, { spellings });
		await run.writeEach(
			items,
			async (item) => await provide(item, existing, run),
			({ values }) => folded(findExternalId(values)) || undefined,
		);
	},
});

/** Returns the engagement that exists, if the item says so, or creates one. */
async function provide(
	item: CreateItem,
	existing: Answers<Engagement[]>,
	{ client, hints, memory }: Run,
): Promise<Result> {
	const { values } = item;
	const externalId = findExternalId(values);
	const sent = memory.part(CreatedEngagements);
	if (externalId !== undefined && values.additionalFields.returnExisting) {
		const own = sent.get(comparable(externalId));
		if (own !== undefined) return { records: [item.output(own, 'engagement')] };
		const found = existing.get(externalId) ?? [];
		if (found.length > 1) hints.add('severalFound', quote(externalId));
		if (found[0] !== undefined) return { records: [item.output(found[0], 'engagement')] };
	}
	const created = await item.send(toRequest(values));
	if (externalId !== undefined) sent.set(comparable(externalId), created);
	return { records: [item.output(created, 'engagement')], writtenTo: showId(created, client) };
}

/** The engagements that a run has created, by external ID. */
class CreatedEngagements extends Map<string, Engagement> {}

/** The ID of an engagement, as it may appear in messages. */
function showId(record: Engagement, client: ServiceClient): number | string {
	const id = readEngagementId(record);
	return typeof id === 'number' ? id : client.shown(id);
}

type CreateValues = Values<typeof fields>;

function toRequest({ name, additionalFields }: CreateValues): ApiRequest<Engagement> {
	const { externalEngagementId, usePassthrough, usePortal } = additionalFields;
	const body = {
		sme: { name },
		externalEngagementId,
		usePassthrough,
		firstName: additionalFields.contactFirstName,
		lastName: additionalFields.contactLastName,
		email: additionalFields.contactEmail,
	};
	return api.createEngagement(name, body, { usePortal });
}

/** The external ID that is sent; Custom Body takes precedence. */
function findExternalId({ additionalFields, options: { customBody = {} } }: CreateValues) {
	const { externalEngagementId: sent = additionalFields.externalEngagementId } = customBody;
	return isEmpty(sent) ? undefined : trimmed(toText(sent));
}
