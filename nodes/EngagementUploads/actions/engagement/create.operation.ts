/** Engagement > Create (docs/service.md#engagements). */
import type { INodeProperties } from 'n8n-workflow';
import * as api from '../../api/endpoints';
import type { Engagement } from '../../api/records';
import { collectionField } from '../../fields/collections';
import { parseExternalId } from '../../fields/engagement';
import type { Item } from '../../fields/item';
import { optionsField } from '../../fields/options';
import { outputFields } from '../../fields/output';
import type { ApiRequest } from '../../transport/client';
import { InputError } from '../../values/inputError';
import { parseBoolean } from '../../values/scalars';
import { isEmpty, optionalText, requiredText, toText } from '../../values/text';
import type { Execution } from '../execution';
import type { Operation } from '../operation';
import { runWrites, type Write } from '../writes';
import { idOf, KnownEngagements } from './known';

const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Nordlicht Trading Ltd',
	description: "Name of the engagement, usually the customer's name",
};

const additionalField = collectionField('Additional Fields', 'additionalFields', 'Add field', [
	{
		displayName: 'Contact Email',
		name: 'contactEmail',
		type: 'string',
		placeholder: 'e.g. name@email.com',
		default: '',
		description: "Email address of the customer's contact. Required with Use Portal.",
	},
	{
		displayName: 'Contact First Name',
		name: 'contactFirstName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Nathan',
		description: "First name of the customer's contact. Required with Use Portal.",
	},
	{
		displayName: 'Contact Last Name',
		name: 'contactLastName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Smith',
		description: "Last name of the customer's contact. Required with Use Portal.",
	},
	{
		displayName: 'External Engagement ID',
		name: 'externalEngagementId',
		type: 'string',
		default: '',
		placeholder: 'e.g. CUSTOMER-42',
		description:
			'Your own ID for the customer, such as a CRM number. You can use it to find the engagement later.',
	},
	{
		displayName: 'Return Existing',
		name: 'returnExisting',
		type: 'boolean',
		default: true,
		description:
			'Whether to return an existing engagement with this External Engagement ID instead of creating another. Requires External Engagement ID.',
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
			"Whether the customer uses the service's portal. The service then creates a contact from Contact First Name, Contact Last Name and Contact Email.",
	},
]);

export const createEngagement: Operation = {
	resource: 'engagement',
	operation: 'create',
	name: 'Create',
	action: 'Create engagement',
	description:
		"Create a customer's record, for which uploads can then be started. Adds an engagement to the service.",
	fields: [
		nameField,
		additionalField,
		...outputFields('engagementId, name, status'),
		optionsField('customBody', 'parallelRequests'),
	],
	async execute(execution) {
		const known = execution.memory.share('engagements', () => new KnownEngagements());
		const outcomes = await runWrites(execution, 'createdEngagements', (item) =>
			prepareCreate(item, execution, known),
		);
		for (const id of known.found) execution.hints.add('existingReturned', id);
		for (const name of known.duplicates) execution.hints.add('severalFound', name);
		return outcomes;
	},
};

function prepareCreate(item: Item, execution: Execution, known: KnownEngagements): Write {
	item.checkNames(additionalField);
	const toOutput = execution.outputMapper(item, 'engagement');
	const entered = readCreate(item);
	const request = execution.request(item, entered);
	if (entered.query?.usePortal) item.check(() => requireContact(request));
	const { externalEngagementId } = request.body ?? {};
	const externalId = isEmpty(externalEngagementId)
		? undefined
		: toText(externalEngagementId).trim();
	const find = findExisting(item, execution, externalId, known);
	return {
		key: async () => externalId?.toLowerCase(),
		resumes: externalId !== undefined,
		async run() {
			const existing = known.isUnresolved(item.index) ? undefined : await find?.();
			if (existing !== undefined) return { records: [toOutput(existing)] };
			const record = await known.create(execution.client, request, item.index, externalId);
			return { records: [toOutput(record)], engagementId: idOf(record) };
		},
	};
}

function readCreate(item: Item): ApiRequest<Engagement> {
	const name = item.read('name', 'Name', requiredText);
	const text = (field: string, label: string) =>
		item.readFrom('additionalFields', field, label, optionalText);
	const flag = (field: string, label: string) =>
		item.readFrom('additionalFields', field, label, (value) =>
			isEmpty(value) ? undefined : parseBoolean(value, label),
		);
	const body = {
		sme: { name },
		externalEngagementId: text('externalEngagementId', 'External Engagement ID'),
		usePassthrough: flag('usePassthrough', 'Use Passthrough'),
		firstName: text('contactFirstName', 'Contact First Name'),
		lastName: text('contactLastName', 'Contact Last Name'),
		email: text('contactEmail', 'Contact Email'),
	};
	const entered = Object.fromEntries(
		Object.entries(body).filter(([, value]) => value !== undefined),
	);
	return api.createEngagement(name, entered, { usePortal: flag('usePortal', 'Use Portal') });
}

/** The service creates a contact for its portal, and needs its details. */
function requireContact({ query = {}, body = {} }: ApiRequest): void {
	if (String(query.usePortal) !== 'true') return;
	const needed = [
		['firstName', 'Contact First Name'],
		['lastName', 'Contact Last Name'],
		['email', 'Contact Email'],
	] as const;
	const missing = needed.filter(([name]) => isEmpty(body[name])).map(([, field]) => field);
	if (missing.length === 0) return;
	throw new InputError(
		`Use Portal requires ${missing.join(', ')}`,
		'Enter the contact in Additional Fields, or turn off Use Portal',
	);
}

/** Looks for an existing engagement; undefined if the user does not want that. */
function findExisting(
	item: Item,
	execution: Execution,
	externalId: string | undefined,
	known: KnownEngagements,
): (() => Promise<Engagement | undefined>) | undefined {
	if (!item.readFrom('additionalFields', 'returnExisting', 'Return Existing', parseBoolean))
		return undefined;
	if (externalId === undefined) {
		throw item.error(
			new InputError(
				'External Engagement ID is empty',
				'Return Existing needs it to find the engagement. Enter it, or turn off Return Existing',
			),
		);
	}
	const key = item.check(() => parseExternalId(externalId, 'External Engagement ID'));
	const find = execution.lookUpEngagements(key);
	return async () => await known.existing(execution.client, key, find);
}
