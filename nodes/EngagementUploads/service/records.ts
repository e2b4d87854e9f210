/**
 * The records of the service, as it documents them, but for those of uploads: docs/service.md#records is generated
 * from here. A field that is not listed passes through, and *Output: Raw* returns it.
 */
import type { IDataObject } from 'n8n-workflow';
import { computed, identifiers, kind, same, sent, type RecordOf } from './kind';
import { lastUpload, upload, workflow } from './uploadRecords';

const { clientId, engagementId, externalEngagementId, uploadId } = identifiers;

export type Engagement = RecordOf<typeof engagement.fields>;
export const engagement = kind({
	id: ['Id'],
	fields: {
		/** A number in lists, a text for a new engagement. */
		Id: sent.number('The `engagementId`, with a capital I'),
		clientId,
		externalEngagementId,
		name: sent.text('Name of the engagement'),
		status: sent.text('Status of the engagement'),
		type: sent.text('Type of engagement'),
		connectorId: sent.number(
			'The connector in use; the [connector list](#connectors) has its name',
		),
		relationshipManager: sent.text('Relationship manager of the client'),
		'Owner.firstName': sent.text('First name of the owner'),
		'Owner.lastName': sent.text('Last name of the owner'),
		'Owner.email': sent.text('Email address of the owner'),
		'Owner.phone': sent.text('Telephone number of the owner'),
		'Owner.title': sent.text('Title of the owner'),
		'Sme.name': sent.text('Name of the client contact'),
		locale: sent.text('Default language, as an ISO code'),
		createdAt: sent.time('When the engagement was created'),
		reconciliationEnabled: sent.flag('Whether the reconciliation module is available'),
		dataRefreshEnabled: sent.flag('Whether data refresh is switched on'),
	},
	simplified: {
		engagementId: ['engagementId', 'Id', 'id'],
		...same('externalEngagementId', 'name', 'status', 'connectorId'),
		smeName: ['Sme.name', 'sme.name', 'SME.name', 'smeName'],
		ownerEmail: ['Owner.email', 'owner.email'],
		...same('relationshipManager', 'dataRefreshEnabled', 'createdAt'),
	},
	always: ['engagementId'],
});

/** The ID in an engagement's own record. */
export function readEngagementId({ engagementId: own, Id, id }: Engagement): unknown {
	return engagementId.print(own ?? Id ?? id ?? null, 'UTC');
}

/** What Engagement > Create returns: a contact takes the place of owner and SME. */
export const createdEngagement = kind({
	id: ['Id'],
	fields: {
		Id: sent.number('The `engagementId`, as text'),
		clientId,
		externalEngagementId,
		firstName: sent.text("The user's first name"),
		lastName: sent.text("The user's last name"),
		email: sent.text("The user's email address"),
		phone: sent.text("The user's telephone number"),
		title: sent.text('Title of the user'),
		connectorId: engagement.fields.connectorId,
		name: engagement.fields.name,
		status: engagement.fields.status,
		externalSmeId: sent.text('External ID of the SME'),
		type: engagement.fields.type,
		locale: engagement.fields.locale,
		createdAt: engagement.fields.createdAt,
		reconciliationEnabled: engagement.fields.reconciliationEnabled,
	},
	simplified: {
		engagementId: ['engagementId', 'Id', 'id'],
		...same('externalEngagementId', 'name', 'status', 'type', 'connectorId', 'email', 'createdAt'),
	},
	always: ['engagementId'],
});

const companyFields = {
	name: sent.text('Name of the company'),
	registrationNumber: sent.text('Registration number'),
	salesTaxNumber: sent.text('Sales tax number'),
	payrollTaxNumber: sent.text('Payroll tax number'),
	address1: sent.text('Address, line 1'),
	address2: sent.text('Address, line 2'),
	address3: sent.text('Address, line 3'),
	townCity: sent.text('Town'),
	stateCounty: sent.text('State or county'),
	postZipcode: sent.text('Postcode'),
	countryCode: sent.text('ISO code of the country, three letters'),
	countryName: sent.text('Country'),
	telephone1: sent.text('Telephone number'),
	fax1: sent.text('Fax number'),
	email1: sent.text('Email address'),
	currencyIso: sent.text('ISO code of the base currency, three letters'),
};

/** As exported from the accounting package. It does not name its engagement. */
export const company = kind({
	id: [],
	recognisedBy: {
		expected: 'name, registrationNumber or other company details',
		isIn: (record) => Object.keys(record).some((name) => Object.hasOwn(companyFields, name)),
	},
	ifEmpty: 'If the ID is right, the customer may not have shared data yet',
	fields: companyFields,
	simplified: {
		...same('engagementId', 'name', 'registrationNumber', 'salesTaxNumber', 'townCity'),
		...same('stateCounty', 'postZipcode', 'countryCode', 'email1', 'currencyIso'),
	},
	always: ['engagementId'],
});

export const period = kind({
	id: ['uploadId', 'yearId', 'periodId'],
	fields: {
		uploadId,
		yearId: sent.text('ID of the financial year'),
		periodId: sent.text('ID of the financial period'),
		name: sent.text('Name of the year or period'),
		startDate: sent.day('First day'),
		endDate: sent.day('Last day'),
		periodNo: sent.number('Position within the financial year'),
	},
	simplified: {
		...same('engagementId', 'uploadId', 'yearId', 'periodId', 'name'),
		...same('startDate', 'endDate', 'periodNo'),
	},
	always: ['periodId'],
});

export type User = RecordOf<typeof user.fields>;
/** The documentation has another field, the ID of the role, whose name it garbles. */
export const user = kind({
	id: ['id'],
	fields: {
		id: sent.number('ID of the user'),
		firstName: sent.text('First name'),
		lastName: sent.text('Last name'),
		email: sent.text('Email address'),
		phone: sent.number('Telephone number'),
		title: sent.text('Title of the user'),
		statusCode: sent.text('Status: `ACTIVE`, `INVITING` or `DISABLED`'),
		status: sent.number('Status as a number: 0, 1 or 2'),
		userType: sent.text('Type of user: `SME` or `Client (Staff)`'),
		'profiles.name': sent.text("Names of the user's roles"),
		'profiles.description': sent.text('Descriptions of the roles'),
		'profiles.key': sent.text('Keys of the roles'),
		ssoId: sent.text('ID for single sign-on'),
		createdAt: sent.time('When the user was created'),
		lastLoginDate: sent.time('When the user last signed in'),
		clientId,
		clientUuid: clientId,
		resellerId: sent.text('The reseller'),
		resellerUuid: sent.uuid('The reseller'),
	},
	simplified: {
		...same('id', 'firstName', 'lastName', 'email', 'phone', 'title', 'statusCode', 'userType'),
		roles: ['profiles.name', 'profiles'],
		lastLoginDate: ['lastLoginDate'],
	},
	always: ['id'],
});

export type Connector = RecordOf<typeof connector.fields>;
export const connector = kind({
	id: ['id'],
	fields: {
		id: sent.number('ID of the connector, as text; engagements refer to it as `connectorId`'),
		name: sent.text('Code of the connector, such as cloudbooks'),
		title: sent.text('Name to show to people'),
		description: sent.text('Text about this version of the connector'),
		type: sent.text('`0` for online, `1` for offline'),
		isRefreshable: sent.flag('Whether [data refresh](#data-refresh) works with it'),
		scopes: sent.list('What can be extracted: the choices for Scope'),
	},
	simplified: {
		...same('id', 'name', 'title', 'description'),
		type: computed('Whether the accounting package is `online` or `offline`', connectorType),
		...same('isRefreshable', 'scopes'),
	},
	always: ['id'],
});

/** `0` is online, `1` offline (docs/service.md#connector-record); other codes are kept. */
export function connectorType({ type = null }: IDataObject): unknown {
	if (type === '0' || type === 0) return 'online';
	return type === '1' || type === 1 ? 'offline' : type;
}

/** All kinds in the output, by name. */
export const kinds = {
	company,
	connector,
	createdEngagement,
	engagement,
	lastUpload,
	period,
	upload,
	user,
	workflow,
};

export type KindName = keyof typeof kinds;
