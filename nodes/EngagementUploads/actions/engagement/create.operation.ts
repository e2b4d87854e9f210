/** Engagement > Create (interface section 4.8). */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { externalId, lookUpExternalId, lookUpNow } from '../../fields/engagement';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import { isEmpty, optionalText, requiredText, parseBoolean, InputError } from '../../values/input';
import { CLIENT_ID } from '../../transport/address';
import { engagement } from '../../api/kinds';
import { writes } from '../operation';
import type { Item } from '../execution';
import { shownFor } from '../shown';

const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Nordlicht Trading Ltd',
	description: 'Name of the engagement, usually that of the customer',
};

const additionalField: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	options: [
		{
			displayName: 'Contact Email',
			name: 'contactEmail',
			type: 'string',
			placeholder: 'e.g. name@email.com',
			default: '',
			description:
				'Email address of the person to contact at the customer. Needed with Use Portal.',
		},
		{
			displayName: 'Contact First Name',
			name: 'contactFirstName',
			type: 'string',
			default: '',
			placeholder: 'e.g. Nathan',
			description: 'First name of the person to contact at the customer. Needed with Use Portal.',
		},
		{
			displayName: 'Contact Last Name',
			name: 'contactLastName',
			type: 'string',
			default: '',
			placeholder: 'e.g. Smith',
			description: 'Last name of the person to contact at the customer. Needed with Use Portal.',
		},
		{
			displayName: 'External Engagement ID',
			name: 'externalEngagementId',
			type: 'string',
			default: '',
			placeholder: 'e.g. CUSTOMER-42',
			description:
				'Your own ID of the customer, such as the number in your CRM. The engagement can be found by it later.',
		},
		{
			displayName: 'Return Existing',
			name: 'returnExisting',
			type: 'boolean',
			default: true,
			description:
				'Whether to return the engagement that has this External Engagement ID already, instead of creating a second one. Needs External Engagement ID.',
		},
		{
			displayName: 'Use Passthrough',
			name: 'usePassthrough',
			type: 'boolean',
			default: true,
			description:
				'Whether the engagement is for passthrough uploads. The service then creates a contact for it.',
		},
		{
			displayName: 'Use Portal',
			name: 'usePortal',
			type: 'boolean',
			default: true,
			description:
				'Whether the customer uses the portal of the service. The service then creates a contact: enter Contact First Name, Contact Last Name and Contact Email too.',
		},
	],
};

export const fields = shownFor('engagement', 'create', [
	nameField,
	additionalField,
	...outputFields,
	optionsField('customBody'),
]);

export const operation = writes((item) => {
	const external = item.readFrom(
		'additionalFields',
		'externalEngagementId',
		'External Engagement ID',
		optionalText,
	);
	const shape = item.outputMapper('engagement');
	const create = creation(item, external);
	const find = existing(item, external);
	return async () => [shape((await find?.()) ?? (await create()))];
});

/** Engagements that this run created, by their external ID; undefined where it may have failed. */
const created = (item: Item) =>
	item.run.shared('created engagements', () => new Map<string, IDataObject | undefined>());

function creation(item: Item, external: string | undefined): () => Promise<IDataObject> {
	const name = item.read('name', 'Name', requiredText);
	const text = (field: string, label: string) =>
		item.readFrom('additionalFields', field, label, optionalText);
	const flag = (field: string, label: string) =>
		item.readFrom('additionalFields', field, label, (value) =>
			isEmpty(value) ? undefined : parseBoolean(value, label),
		);
	const body = {
		sme: { name },
		externalEngagementId: external,
		usePassthrough: flag('usePassthrough', 'Use Passthrough'),
		firstName: text('contactFirstName', 'Contact First Name'),
		lastName: text('contactLastName', 'Contact Last Name'),
		email: text('contactEmail', 'Contact Email'),
	};
	const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
	const query = { usePortal: flag('usePortal', 'Use Portal') };
	const path = `/v1/clients/${CLIENT_ID}/engagements`;
	const call = item.caller('POST')(path, `create the engagement “${name}”`, query, sent);
	return async () => {
		if (external !== undefined) created(item).set(external, undefined);
		const record = await item.run.service.record(call, engagement);
		if (external !== undefined) created(item).set(external, record);
		return record;
	};
}

/** Looks for an engagement that is there already; undefined where the user does not want that. */
function existing(
	item: Item,
	external: string | undefined,
): (() => Promise<IDataObject | undefined>) | undefined {
	if (!item.readFrom('additionalFields', 'returnExisting', 'Return Existing', parseBoolean))
		return undefined;
	if (external === undefined) {
		throw item.refusal(
			new InputError(
				'External Engagement ID is empty',
				'Return Existing needs it to find the engagement: enter it, or switch Return Existing off',
			),
		);
	}
	const key = item.readFrom(
		'additionalFields',
		'externalEngagementId',
		'External Engagement ID',
		externalId,
	);
	const found = lookUpExternalId(item.run, key);
	return async () => {
		if (!created(item).has(key)) return (await found())[0];
		// A creation that ended with an error may have worked all the same.
		return created(item).get(key) ?? (await lookUpNow(item.run.service, key))[0];
	};
}
