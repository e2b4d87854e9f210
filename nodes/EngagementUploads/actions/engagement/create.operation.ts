/** Engagement > Create (docs/service.md#engagements). */
import * as api from '../../api/endpoints';
import type { Engagement } from '../../api/records';
import { parseExternalId } from '../../fields/engagement';
import { collection, flag, optional, text } from '../../fields/field';
import type { Item } from '../../fields/item';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import type { ApiRequest } from '../../transport/request';
import { InputError } from '../../values/inputError';
import { folded, isEmpty, optionalText, requiredText, toText, trimmed } from '../../values/text';
import type { Execution } from '../execution';
import { MemorySlot } from '../memory';
import { implementation, runWrites, type Operation, type Write } from '../operation';
import { idOf, KnownEngagements } from './known';

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
	...output('engagementId, name, status'),
	options: options('customBody'),
};

type CreateItem = Item<typeof fields>;

const knownEngagements = new MemorySlot(() => new KnownEngagements());

const created = { key: 'createdEngagements', label: 'Engagements created' };

export const createEngagement = {
	resource: 'engagement',
	operation: 'create',
	name: 'Create',
	action: 'Create engagement',
	description:
		"Create a customer's record, for which uploads can then be started. Adds an engagement to the service.",
	...implementation(fields, async (execution) => {
		const known = knownEngagements.of(execution.memory);
		const prepare = (item: CreateItem) => prepareCreate(item, execution, known);
		const outcomes = await runWrites(execution, created, prepare);
		const { found, duplicates } = known;
		for (const id of found) execution.hints.add('existingReturned', id);
		for (const name of duplicates) execution.hints.add('severalFound', name);
		return outcomes;
	}),
} as const satisfies Operation;

function prepareCreate(item: CreateItem, execution: Execution, known: KnownEngagements): Write {
	const { client } = execution;
	const { values } = item;
	const toOutput = execution.outputMapper(values, 'engagement');
	const request = execution.request(item, requestOf(values));
	const { externalEngagementId: sent } = request.body ?? {};
	const externalId = isEmpty(sent) ? undefined : trimmed(toText(sent));
	const find = values.additionalFields.returnExisting
		? execution.lookUpEngagements(requiredId(externalId))
		: undefined;
	return {
		key: async () => externalId && folded(externalId),
		async run() {
			const { record, isCreated } =
				externalId === undefined
					? { record: await client.record(request), isCreated: true }
					: await known.provide(client, { request, externalId, find });
			const done = isCreated ? { engagementId: idOf(record, client) } : undefined;
			return { records: [toOutput(record)], done };
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

/** The external ID that Return Existing looks for. */
function requiredId(externalId: string | undefined): string {
	const { displayName } = more.externalEngagementId.property;
	if (externalId !== undefined) return parseExternalId(externalId, displayName);
	throw new InputError(
		`${displayName} is empty`,
		'Return Existing needs it to find the engagement. Enter it, or turn off Return Existing',
	);
}
