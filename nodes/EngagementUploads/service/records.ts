/**
 * The records of the service, as it documents them: docs/service.md#records is generated from here. A field that is
 * not listed passes through, and *Output: Raw* returns it.
 */
import {
	computed,
	day,
	flag,
	kind,
	list,
	number,
	same,
	text,
	time,
	uuid,
	type RecordOf,
} from './kind';
import { isAbsent } from '../values/text';
import { connectorType, currentStep, customerUrl, listSteps } from './meaning';

/** Fields that occur in many records, and mean the same in all. */
export const identifiers = {
	clientId: uuid('Your account; from the token endpoint'),
	engagementId: number('ID of the engagement; the engagement list calls it `Id`'),
	externalEngagementId: text('Your own ID, given when the engagement is created'),
	uploadId: uuid('ID of the upload'),
	connectorName: text('The `name` of a connector: its code, not its title'),
};
const { clientId, engagementId, externalEngagementId, uploadId, connectorName } = identifiers;

export type Engagement = RecordOf<typeof engagement.fields>;
export const engagement = kind({
	id: ['Id', 'id', 'engagementId'],
	fields: {
		/** A number in lists, a text for a new engagement. */
		Id: number('The `engagementId`, with a capital I'),
		clientId,
		externalEngagementId,
		name: text('Name of the company or connector'),
		status: text('Status of the engagement; values undocumented'),
		type: text('Type of engagement; values undocumented'),
		connectorId: number('The connector in use; the [connector list](#connectors) has its name'),
		relationshipManager: text('Relationship manager of the client'),
		'Owner.firstName': text('First name of the owner'),
		'Owner.lastName': text('Last name of the owner'),
		'Owner.email': text('Email address of the owner'),
		'Owner.phone': text('Telephone number of the owner'),
		'Owner.title': text('Title of the owner'),
		'Sme.name': text('Name of the client contact. Other fields of `Sme` are undocumented'),
		locale: text('Default language, as an ISO code'),
		createdAt: time('When the engagement was created'),
		reconciliationEnabled: flag('Whether the reconciliation module is available'),
		dataRefreshEnabled: flag('Whether data refresh is switched on'),
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
	sign: {
		expected: 'Id',
		isIn: (record) =>
			!isAbsent(record.id) && [record.name, record.clientId].some((each) => !isAbsent(each)),
	},
	fields: {
		Id: number('The `engagementId`, as text'),
		clientId,
		externalEngagementId,
		firstName: text("The user's first name"),
		lastName: text("The user's last name"),
		email: text("The user's email address"),
		phone: text("The user's telephone number"),
		title: text('Title of the user or connector'),
		connectorId: engagement.fields.connectorId,
		name: engagement.fields.name,
		status: engagement.fields.status,
		externalSmeId: text('External ID of the SME. So far, these have only one type, `AUDIT`'),
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
	name: text('Name of the company'),
	registrationNumber: text('Registration number'),
	salesTaxNumber: text('Sales tax number'),
	payrollTaxNumber: text('Payroll tax number'),
	address1: text('Address, line 1'),
	address2: text('Address, line 2'),
	address3: text('Address, line 3'),
	townCity: text('Town'),
	stateCounty: text('State or county'),
	postZipcode: text('Postcode'),
	countryCode: text('ISO code of the country, three letters'),
	countryName: text('Country'),
	telephone1: text('Telephone number'),
	fax1: text('Fax number'),
	email1: text('Email address'),
	currencyIso: text('ISO code of the base currency, three letters'),
};

/** As exported from the accounting package. It does not name its engagement. */
export const company = kind({
	id: [],
	// Anything has a name.
	sign: {
		expected: 'name and registrationNumber, or other company details',
		isIn(record) {
			const names = Object.keys(record);
			const own = names.filter((name) => Object.hasOwn(companyFields, name));
			return own.some((name) => name !== 'name') || (own.length > 0 && own.length === names.length);
		},
	},
	ifEmpty: 'The customer may not have shared data yet',
	fields: companyFields,
	simplified: {
		...same('engagementId', 'name', 'registrationNumber', 'salesTaxNumber', 'townCity'),
		...same('stateCounty', 'postZipcode', 'countryCode', 'email1', 'currencyIso'),
	},
	always: ['engagementId'],
});

export type Period = RecordOf<typeof period.fields>;
export const period = kind({
	id: [
		['uploadId', 'yearId', 'periodId'],
		['yearId', 'periodId'],
	],
	fields: {
		uploadId,
		yearId: text('ID of the financial year'),
		periodId: text('ID of the financial period'),
		name: text('Name of the year or period'),
		startDate: day('First day'),
		endDate: day('Last day'),
		periodNo: number('Position within the financial year'),
	},
	simplified: {
		...same('engagementId', 'uploadId', 'yearId', 'periodId', 'name'),
		...same('startDate', 'endDate', 'periodNo'),
	},
	always: ['periodId'],
});

/** What both forms of an upload have. */
const anyUpload = {
	uploadId,
	clientId,
	engagementId,
	contactId: text('The contact who made the upload'),
	creationDate: time('When the upload was started'),
	completionDate: time('When the upload was completed'),
	connectorName,
	connectorVersion: text('Version of the accounting package'),
	active: flag('Whether the engagement is enabled'),
	uploadType: text('Type of upload; values undocumented'),
	smeId: number('The SME that completed the upload'),
	smeName: text('Name of the SME that completed the upload'),
};

/** Either form: the last upload of an engagement calls its status `status`. */
export type Upload = RecordOf<typeof upload.fields & typeof lastUpload.fields>;
export const upload = kind({
	id: ['uploadId'],
	fields: {
		...anyUpload,
		uploadStatus: text('Status of the upload; see [Uploads](#uploads)'),
		externalEngagementId,
		engagementName: text('Name of the engagement'),
	},
	simplified: {
		uploadId: ['uploadId'],
		uploadStatus: ['uploadStatus', 'status'],
		...same('uploadType', 'engagementId', 'externalEngagementId', 'engagementName'),
		...same('connectorName', 'smeName', 'creationDate', 'completionDate'),
	},
	always: ['uploadId'],
});

/** The service may send several for one engagement, in any order; one without an upload has no `uploadId`. */
export const lastUpload = kind({
	id: ['uploadId', 'engagementId'],
	fields: {
		...anyUpload,
		status: text('Status of the upload; see [Uploads](#uploads)'),
		resellerId: uuid('The reseller'),
		withMemo: flag('Whether there is a memo; false by default'),
		memo: text('Memo; null by default'),
		content: text('Content; null by default. Wrappers of lists use this name, too'),
	},
	simplified: {
		uploadId: ['uploadId'],
		uploadStatus: ['uploadStatus', 'status'],
		...same('uploadType', 'engagementId', 'smeName', 'connectorName', 'connectorVersion'),
		...same('creationDate', 'completionDate', 'active'),
	},
	always: ['uploadId', 'engagementId'],
});

export type User = RecordOf<typeof user.fields>;
/** The documentation has another field, the ID of the role, whose name it garbles. */
export const user = kind({
	id: ['id', 'email'],
	fields: {
		id: number('ID of the user'),
		firstName: text('First name'),
		lastName: text('Last name'),
		email: text('Email address'),
		phone: number('Telephone number'),
		title: text('Title of the user'),
		statusCode: text('Status: `ACTIVE`, `INVITING` or `DISABLED`'),
		status: number('Status as a number, 0, 1 or 2; meanings undocumented'),
		userType: text('Type of user: `SME` or `Client (Staff)`'),
		'profiles.name': text("Names of the user's roles"),
		'profiles.description': text('Descriptions of the roles'),
		'profiles.key': text('Keys of the roles'),
		ssoId: text('ID for single sign-on'),
		createdAt: time('When the user was created'),
		lastLoginDate: time('When the user last signed in'),
		clientId,
		clientUuid: clientId,
		resellerId: text('The reseller'),
		resellerUuid: uuid('The reseller'),
	},
	simplified: {
		...same('id', 'firstName', 'lastName', 'email', 'phone', 'title', 'statusCode', 'userType'),
		roles: ['profiles.name', 'profiles'],
		lastLoginDate: ['lastLoginDate'],
	},
	always: ['id'],
});

/** The processing steps of an upload. */
export const workflow = kind({
	id: ['uploadId'],
	fields: {
		uploadId,
		clientId,
		engagementId,
		connector: text('Connector of the upload'),
		status: text('Status of the upload; see [Uploads](#uploads)'),
		created: time('When the upload was created'),
		started: time('When the upload was started'),
		lastUpdate: time('When the upload last made progress'),
		smeId: number('The SME that completed the upload'),
		userId: number('The user who started the upload'),
		usePassthrough: flag('Whether this is a passthrough upload'),
		'steps.stepId': number('ID of the step'),
		'steps.name': text('Name of the step'),
		'steps.status': text('Status of the step; values undocumented'),
		'steps.created': time('When the step was created'),
		'steps.started': time('When the step was started'),
		'steps.lastUpdate': time('When the step last made progress'),
		'steps.sorting': number('Place of the step in their order'),
	},
	simplified: {
		...same('uploadId', 'engagementId'),
		connectorName: ['connectorName', 'connector'],
		...same('status', 'created', 'started', 'lastUpdate'),
		stepCount: computed('Number of steps', (record) => listSteps(record).length),
		currentStep: computed('Name of the current step', (record) => currentStep(record)?.name),
		currentStepStatus: computed(
			'Status of the current step',
			(record) => currentStep(record)?.status,
		),
	},
	always: ['uploadId'],
});

export type Connector = RecordOf<typeof connector.fields>;
export const connector = kind({
	id: ['id'],
	sign: {
		expected: 'name and isRefreshable',
		isIn: ({ name, ...others }) => {
			const own = ['title', 'description', 'type', 'isRefreshable', 'scopes'];
			return typeof name === 'string' && own.some((each) => Object.hasOwn(others, each));
		},
	},
	fields: {
		id: number('ID of the connector, as text; engagements refer to it as `connectorId`'),
		name: text('Code of the connector, used in paths'),
		title: text('Name to show to people'),
		description: text('Text about this version of the connector'),
		type: text('`0` for online, `1` for offline'),
		isRefreshable: flag('Whether [data refresh](#data-refresh) works with it'),
		scopes: list('What can be extracted; values for `scopeName` in [Start upload](#start-upload)'),
	},
	simplified: {
		...same('id', 'name', 'title', 'description'),
		type: computed('Whether the accounting package is `online` or `offline`', connectorType),
		...same('isRefreshable', 'scopes'),
	},
	always: ['id'],
});

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

/** The response to the start of an upload: where to send the customer. */
export const uploadStart = kind({
	id: [],
	sign: {
		expected: 'redirectUrl or another web address',
		isIn: (record) => customerUrl(record) !== undefined,
	},
	fields: {
		type: text('`REDIRECT` for online connectors, `DOWNLOAD` for offline ones'),
		redirectUrl: text('With `REDIRECT`: page where the customer authorises access'),
	},
	simplified: {},
	always: [],
});

/** The response to a refresh or a schedule. */
export const refreshResult = kind({
	id: [],
	sign: {
		expected: 'action and url',
		isIn: (record) => Object.hasOwn(record, 'action') || Object.hasOwn(record, 'url'),
	},
	mayBeEmpty: true,
	fields: {
		action: text(
			'On success `No Action Required` for a refresh, `NO_ACTION_REQUIRED` for a schedule',
		),
		url: text('Where the customer must act; null on success, or the text `"null"`'),
	},
	simplified: {},
	always: [],
});
