/** Engagement > Create (docs/service.md#engagements). */
import type { IDataObject } from 'n8n-workflow';
import * as api from '../../service/endpoints';
import type { Engagement } from '../../service/records';
import { collection, flag, optional, text, type Values } from '../../fields/field';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { findByExternalId, onlyEngagement, showEngagementId } from '../../lookups/engagements';
import { parseExternalId } from '../../values/ids';
import { parseGivenText, parseRequiredText } from '../../values/text';
import type { ServiceClient } from '../../transport/client';
import type { ItemOf } from '../item';
import { defineOperation } from '../operation';
import type { Outcome } from '../retryMemory';
import { findCreation, remember } from './recentCreations';

const contact = (label: string, what: string, placeholder: string) =>
	text(label, `${what} of the contact. Only used with Use Portal.`, parseGivenText, {
		placeholder,
	});
const optionalFlag = (displayName: string, description: string) =>
	optional(flag(displayName, description, { default: true }));

const fields = {
	name: text('Name', "Name of the engagement, usually the customer's name", parseRequiredText, {
		required: true,
		placeholder: 'e.g. Nordlicht Trading Ltd',
	}),
	additionalFields: collection('Additional Fields', 'Add field', {
		contactEmail: contact('Contact Email', 'Email', 'e.g. name@email.com'),
		contactFirstName: contact('Contact First Name', 'First name', 'e.g. Nathan'),
		contactLastName: contact('Contact Last Name', 'Last name', 'e.g. Smith'),
		externalEngagementId: text(
			'External Engagement ID',
			"Your own ID for the customer, such as a CRM number. If an engagement already has it, that one is returned, and 'created' is false.",
			(value, label) => parseGivenText(value, label) && parseExternalId(value, label),
			{ placeholder: 'e.g. CUSTOMER-42' },
		),
		usePassthrough: optionalFlag(
			'Use Passthrough',
			'Whether the engagement is for passthrough uploads. The service then creates a contact for it.',
		),
		usePortal: optionalFlag(
			'Use Portal',
			"Whether the customer uses the service's portal. The service then creates a contact from Contact First Name, Contact Last Name and Contact Email, and may invite the customer by email.",
		),
	}),
	...output('createdEngagement'),
	options: options('customBody'),
};

/** What to do if several engagements have the external ID. */
const SEVERAL = 'Use one of these engagements, or enter another External Engagement ID';

export const createEngagement = defineOperation({
	resource: 'engagement',
	operation: 'create',
	name: 'Create',
	action: 'Create engagement',
	description: "Create a customer's record, for which uploads can then be started",
	fields,
	progress: 'Engagements created',
	prepare: async (items, { client }) =>
		await findByExternalId(
			client,
			items.flatMap(({ values }) => values.additionalFields.externalEngagementId ?? []),
		),
	keyOf: ({ values }) => values.additionalFields.externalEngagementId,
	/** Creates an engagement, unless there is one with the external ID. */
	async write(item, { client }, existing) {
		const { externalEngagementId: externalId } = item.values.additionalFields;
		const create = async () => await item.send(toRequest(item.values));
		if (externalId === undefined) return toOutcome(item, client, await create());
		const listed = onlyEngagement(client, existing.get(externalId), externalId, SEVERAL);
		const found = listed ?? findCreation(client.account, externalId);
		if (found !== undefined) return { records: [toOutput(item, await found, false)] };
		return toOutcome(item, client, await remember(client.account, externalId, create()));
	},
});

type CreateItem = ItemOf<typeof fields>;
type CreateValues = Values<typeof fields>;

function toOutcome(item: CreateItem, client: ServiceClient, record: Engagement): Outcome {
	return { records: [toOutput(item, record, true)], writtenTo: showEngagementId(client, record) };
}

function toRequest({ name, additionalFields }: CreateValues) {
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

/** The record in the form that Output selects. Unless it is raw, it also says whether the item created it. */
function toOutput(item: CreateItem, record: Engagement, created: boolean): IDataObject {
	const output = item.output(record, 'createdEngagement');
	return item.values.output === 'raw' ? output : { ...output, created };
}
