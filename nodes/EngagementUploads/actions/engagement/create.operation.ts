/** Engagement > Create (docs/service.md#engagements). */
import type { IDataObject } from 'n8n-workflow';
import * as api from '../../service/endpoints';
import type { Engagement } from '../../service/records';
import { collection, flag, optional, text, type Values } from '../../fields/field';
import { options } from '../../fields/options';
import { output } from '../../fields/output';
import { findAmbiguousIds, findByExternalId, showEngagementId } from '../../lookups/engagements';
import type { ApiRequest } from '../../transport/request';
import { systemClock } from '../../values/clock';
import { parseExternalId } from '../../values/ids';
import { InputError } from '../../values/inputError';
import { readBoolean } from '../../values/scalars';
import {
	normalizeText,
	foldCase,
	isAbsent,
	isEmpty,
	parseGivenText,
	parseRequiredText,
	toText,
} from '../../values/text';
import type { ItemOf } from '../item';
import { defineOperation } from '../operation';
import type { Outcome } from '../retryMemory';
import type { Run } from '../run';
import { begin, end, fail, findOrBegin, type FirstLookup } from './returnExisting';

const contact = (label: string, what: string, placeholder: string) =>
	text(label, `${what} of the customer's contact. Needs Use Portal.`, parseGivenText, {
		placeholder,
	});
const optionalFlag = (displayName: string, description: string) =>
	optional(flag(displayName, description, { default: true }));

const more = {
	contactEmail: contact('Contact Email', 'Email', 'e.g. name@email.com'),
	contactFirstName: contact('Contact First Name', 'First name', 'e.g. Nathan'),
	contactLastName: contact('Contact Last Name', 'Last name', 'e.g. Smith'),
	externalEngagementId: text(
		'External Engagement ID',
		'Your own ID for the customer, such as a CRM number. You can use it to find the engagement later.',
		(value, label) => normalizeText(parseGivenText(value, label) ?? '') || undefined,
		{ placeholder: 'e.g. CUSTOMER-42' },
	),
	returnExisting: flag(
		'Return Existing',
		"Whether to return the engagement that already has this External Engagement ID, if there is one, instead of creating another. 'created' in the output tells which. Requires External Engagement ID.",
		{ default: true },
	),
	usePassthrough: optionalFlag(
		'Use Passthrough',
		'Whether the engagement is for passthrough uploads. The service then creates a contact for it.',
	),
	usePortal: optionalFlag(
		'Use Portal',
		"Whether the customer uses the service's portal. The service then creates a contact from Contact First Name, Contact Last Name and Contact Email, and may invite the customer by email.",
	),
};

const fields = {
	name: text('Name', "Name of the engagement, usually the customer's name", parseRequiredText, {
		required: true,
		placeholder: 'e.g. Nordlicht Trading Ltd',
	}),
	additionalFields: collection('Additional Fields', 'Add field', more),
	...output('createdEngagement'),
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
	onRetry: 'A retry of this execution would create these again, unless Return Existing is on',
	check(values) {
		checkContact(values);
		if (!values.additionalFields.returnExisting) return;
		const { displayName } = more.externalEngagementId.property;
		const externalId = findExternalId(values);
		if (externalId === undefined) {
			throw new InputError(
				`${displayName} is empty`,
				'Return Existing needs it to find the engagement. Enter it, or turn off Return Existing',
			);
		}
		parseExternalId(externalId, displayName);
	},
	async execute(items, run) {
		const spellings = run.memory.externalIds;
		for (const { values } of items) {
			const externalId = findExternalId(values);
			if (externalId !== undefined) spellings.add(externalId);
		}
		const lookUp = async (ids: string[]) => await findByExternalId(run.client, ids, { spellings });
		const returning = items.filter(({ values }) => values.additionalFields.returnExisting);
		const lookedUpAt = systemClock.now();
		const listed = await lookUp(returning.flatMap(({ values }) => findExternalId(values) ?? []));
		const lookup = { listed, lookedUpAt, exactOnly: findAmbiguousIds(spellings), lookUp };
		await run.writeEach(
			items,
			async (item) => await findOrCreate(item, lookup, run),
			({ values }) => foldCase(findExternalId(values)) || undefined,
		);
	},
});

/** Returns the existing engagement, if the item says so and there is one, or else creates one. */
async function findOrCreate(item: CreateItem, lookup: FirstLookup, run: Run): Promise<Outcome> {
	const { values } = item;
	const externalId = findExternalId(values);
	const request = toRequest(values);
	if (externalId === undefined) return toOutcome(item, await item.send(request), run);
	const found = values.additionalFields.returnExisting
		? await findOrBegin(externalId, lookup, run)
		: { creation: begin(externalId, run) };
	if ('existing' in found) return { records: [toOutput(item, found.existing, false)] };
	const created = await item.send(request).catch((error: unknown) => {
		fail(found.creation, error, run);
		throw error;
	});
	end(found.creation, run, created);
	return toOutcome(item, created, run);
}

function toOutcome(item: CreateItem, created: Engagement, { client, hints }: Run): Outcome {
	const id = showEngagementId(client, created);
	if (usesPortal(item.values) && isAbsent(created.email)) hints.add('contactMissing', id);
	return { records: [toOutput(item, created, true)], writtenTo: id };
}

/** The record in the form that Output selects. Unless it is raw, it also says whether the item created it. */
function toOutput(item: CreateItem, record: Engagement, created: boolean): IDataObject {
	const output = item.output(record, 'createdEngagement');
	return item.values.output === 'raw' ? output : { ...output, created };
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
	return isEmpty(sent) ? undefined : normalizeText(toText(sent));
}

/** Whether Use Portal is sent, wherever it was entered. */
function usesPortal({ additionalFields, options }: CreateValues): boolean {
	const { usePortal } = { ...additionalFields, ...options.customQuery };
	return [usePortal, options.customBody?.usePortal].some((each) => readBoolean(each) === true);
}

const CONTACT = ['contactFirstName', 'contactLastName', 'contactEmail'] as const;

/** @throws InputError if the service would create no contact, or drop it. What Custom Body adds is up to the user. */
function checkContact(values: CreateValues): void {
	const { additionalFields, options } = values;
	if (options.customBody !== undefined) return;
	const labelsOf = (isGiven: boolean) =>
		CONTACT.filter((name) => (additionalFields[name] !== undefined) === isGiven)
			.map((name) => more[name].property.displayName)
			.join(', ');
	const [given, missing] = [labelsOf(true), labelsOf(false)];
	if (usesPortal(values)) {
		if (missing === '') return;
		throw new InputError(
			`Use Portal needs a contact, but these fields are empty: ${missing}`,
			'Enter them, or turn off Use Portal',
		);
	}
	if (given === '' || additionalFields.usePassthrough === true) return;
	throw new InputError(
		`The service would drop the contact (${given}), since Use Portal is not turned on`,
		'Turn on Use Portal, or remove these fields',
	);
}
