/** Engagement > Create (docs/service.md#engagements). */
import * as api from '../../api/endpoints';
import type { Engagement } from '../../api/records';
import { parseExternalId } from '../../fields/engagement';
import { collection, flag, optional, text } from '../../fields/field';
import type { Item } from '../../fields/item';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import type { ApiRequest } from '../../transport/client';
import { InputError } from '../../values/inputError';
import { isEmpty, optionalText, requiredText, toText } from '../../values/text';
import type { Execution } from '../execution';
import { implementation, type Operation } from '../operation';
import { runWrites, type Write } from '../writes';
import { idOf, type KnownEngagements } from './known';

const detail = (displayName: string, description: string, placeholder: string) =>
	text(displayName, description, optionalText, { placeholder });
const contact = (part: string, placeholder: string) =>
	detail(
		`Contact ${part}`,
		`${part} of the customer's contact, whom the service needs with Use Portal`,
		placeholder,
	);
const choice = (displayName: string, description: string) =>
	optional(flag(displayName, description), true);

const more = {
	contactEmail: contact('Email', 'e.g. name@email.com'),
	contactFirstName: contact('First Name', 'e.g. Nathan'),
	contactLastName: contact('Last Name', 'e.g. Smith'),
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
		"Whether the customer uses the service's portal. The service then creates a contact from Contact First Name, Contact Last Name and Contact Email.",
	),
};

const fields = {
	name: text('Name', "Name of the engagement, usually the customer's name", requiredText, {
		required: true,
		placeholder: 'e.g. Nordlicht Trading Ltd',
	}),
	additionalFields: collection('Additional Fields', 'Add field', more),
	...output('engagementId, name, status'),
	options: options('customBody'),
};

type CreateItem = Item<typeof fields>;

const created = { key: 'createdEngagements', label: 'Engagements created' };

export const createEngagement = {
	resource: 'engagement',
	operation: 'create',
	name: 'Create',
	action: 'Create engagement',
	description:
		"Create a customer's record, for which uploads can then be started. Adds an engagement to the service.",
	...implementation(fields, async (execution) => {
		const known = execution.memory.engagements;
		const outcomes = await runWrites(execution, created, (item) =>
			prepareCreate(item, execution, known),
		);
		for (const id of known.found) execution.hints.add('existingReturned', id);
		for (const name of known.duplicates) execution.hints.add('severalFound', name);
		return outcomes;
	}),
} as const satisfies Operation;

function prepareCreate(item: CreateItem, execution: Execution, known: KnownEngagements): Write {
	const { values } = item;
	const toOutput = execution.outputMapper(values, 'engagement');
	const request = execution.request(item, requestOf(values));
	const { externalEngagementId } = request.body ?? {};
	const externalId = isEmpty(externalEngagementId)
		? undefined
		: toText(externalEngagementId).trim();
	const find = values.additionalFields.returnExisting
		? findExisting(execution, externalId, known)
		: undefined;
	const creation = { index: item.index, request, isLookedUp: find !== undefined };
	return {
		key: async () => externalId?.toLowerCase(),
		resumes: externalId !== undefined,
		async run() {
			const existing = known.isUnresolved(item.index, externalId) ? undefined : await find?.();
			if (existing !== undefined) return { records: [toOutput(existing)] };
			const record =
				externalId === undefined
					? await execution.client.record(request)
					: await known.create(execution.client, { ...creation, externalId });
			return { records: [toOutput(record)], engagementId: idOf(record, execution.client) };
		},
	};
}

function requestOf({ name, additionalFields }: CreateItem['values']): ApiRequest<Engagement> {
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

/** Looks for an existing engagement with this external ID. */
function findExisting(
	execution: Execution,
	externalId: string | undefined,
	known: KnownEngagements,
): () => Promise<Engagement | undefined> {
	const { displayName } = more.externalEngagementId.property;
	if (externalId === undefined) {
		throw new InputError(
			`${displayName} is empty`,
			'Return Existing needs it to find the engagement. Enter it, or turn off Return Existing',
		);
	}
	const key = parseExternalId(externalId, displayName);
	const find = execution.lookUpEngagements(key);
	return async () => await known.existing(execution.client, key, find);
}
