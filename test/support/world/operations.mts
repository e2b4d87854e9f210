/**
 * The table of operations: for each one, an example and the request that it sends. Previews, which hold the
 * fields that it returns, and the tests of requests, output and invalid input follow from it.
 */
import type { Entry, Target } from './examples.mts';

const ofEngagement = ({ engagementId }: Target) => ({ engagementId });
const ofConnector = ({ engagementId, connectorName }: Target) => ({ engagementId, connectorName });
const UPLOAD = '5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11';
const notUploadIds = ['', '..', 'a b', '1.000', {}];
const texts = ['contactEmail', 'contactFirstName', 'contactLastName', 'externalEngagementId'];
const each = (prefix: string, names: string[], values: unknown[]) =>
	Object.fromEntries(names.map((name) => [`${prefix}${name}`, values]));
const invalidOfEngagements = {
	'filters.engagementIds': [',', '1001,abc', '1,001', [['a']]],
	'filters.externalEngagementIds': [', ,', ['A', 'B,C'], [['a']]],
	'filters.relationshipManagers': [', ,', [['a']]],
};
/** A filter that the service has in another list only: here, the node applies it, to full pages. */
const appliedByNode = (name: string, entered: string): Entry['sends'] => ({
	[name]: [entered, { size: '500' }],
});

/** By operation, such as `upload.getAll`; a second example has a few words after it. */
export const table: Record<string, Entry> = {
	'company.get': {
		parameters: ofEngagement,
		request: 'GET /v1/engagements/{engagementId}/companyDetails',
	},
	'connector.getAll': {
		request: 'GET /v1/clients/{clientId}/connectors',
	},
	'dataRefresh.run': {
		parameters: ofConnector,
		request: 'POST /v1/engagements/{engagementId}/connectors/{connectorName}/refresh',
		invalid: { waitTimeout: [-1, 'long', {}] },
	},
	'dataRefresh.schedule': {
		parameters: (target) => ({
			...ofEngagement(target),
			scheduleFrequency: '3',
			// The day as entered is sent, whatever its time zone.
			scheduleStartDate: '2030-05-01T23:30:00-11:00',
		}),
		request: 'POST /v1/clients/{clientId}/engagements/{engagementId}/schedule',
		body: { scheduleFrequency: '3', scheduleStartDate: '2030-05-01' },
		invalid: {
			scheduleFrequency: ['6', 'sometimes', '', {}],
			scheduleStartDate: [''],
		},
	},
	'engagement.create': {
		parameters: () => ({ name: 'Dunmore Studios' }),
		request: 'POST /v1/clients/{clientId}/engagements',
		body: { sme: { name: 'Dunmore Studios' } },
		invalid: {
			name: ['', ' ', {}, ['X']],
			...each('additionalFields.', texts, [[1], {}]),
		},
		sends: {
			'additionalFields.contactEmail': ['ada@example.com', { email: 'ada@example.com' }],
			'additionalFields.contactFirstName': ['Ada', { firstName: 'Ada' }],
			'additionalFields.contactLastName': ['Lund', { lastName: 'Lund' }],
			'additionalFields.externalEngagementId': ['CRM-10', { externalEngagementId: 'CRM-10' }],
			'additionalFields.usePassthrough': [false, { usePassthrough: false }],
			'additionalFields.usePortal': [false, { usePortal: 'false' }],
		},
	},
	'engagement.create with an external ID': {
		parameters: () => ({
			name: 'Dunmore Studios',
			additionalFields: { externalEngagementId: 'CRM-9', usePassthrough: true },
		}),
		request: 'POST /v1/clients/{clientId}/engagements',
		body: {
			sme: { name: 'Dunmore Studios' },
			externalEngagementId: 'CRM-9',
			usePassthrough: true,
		},
		lookups: ({ clientId }) => [
			`GET /v1/clients/${clientId}/engagements?externalEngagementId=CRM-9&page=0&size=500`,
		],
	},
	'engagement.get': {
		parameters: ofEngagement,
		request: 'GET /v1/clients/{clientId}/engagements',
		query: () => 'page=0&size=500',
	},
	'engagement.getAll': {
		request: 'GET /v1/clients/{clientId}/engagements',
		query: () => 'page=0&size=50',
		invalid: invalidOfEngagements,
		sends: {
			...appliedByNode('filters.engagementIds', '1001'),
			'filters.externalEngagementIds': [
				'CRM-2, CRM-1,',
				{ externalEngagementId: 'CRM-2,CRM-1', size: '500' },
			],
			'sort.field': ['createdAt', { orderBy: 'createdAt' }],
		},
	},
	'engagement.getStatus': {
		request: 'GET /v1/clients/{clientId}/engagements',
		query: () => 'page=0&size=500',
		lookups: ({ clientId }) => [
			`GET /v1/clients/${clientId}/lastUploads?engagementIds=1001,1002,1003&page=0&size=500`,
		],
		invalid: {
			...invalidOfEngagements,
			dataStatuses: ['old', 'fresh, old', [2]],
		},
		sends: {
			...appliedByNode('filters.engagementIds', '1001'),
			'filters.externalEngagementIds': ['CRM-2', { externalEngagementId: 'CRM-2', size: '500' }],
		},
	},
	'period.getAll': {
		parameters: ofEngagement,
		request: 'GET /v1/engagements/{engagementId}/periods/',
	},
	'upload.get': {
		parameters: ({ uploadId }) => ({ uploadId }),
		request: 'GET /v1/clients/{clientId}/uploads',
		query: ({ uploadId }) => `uploadId=${uploadId}&page=0&size=500`,
		invalid: { uploadId: notUploadIds },
	},
	'upload.getAll': {
		parameters: () => ({ source: 'client' }),
		request: 'GET /v1/clients/{clientId}/uploads',
		query: () => 'page=0&size=50',
		invalid: {
			'filters.engagementIds': [',', '1001,abc', '1,001', [['a']]],
			'filters.externalEngagementIds': [', ,', ['A', 'B,C'], [['a']]],
			'filters.uploadId': ['a/b', '..', '1.000', ['a']],
			'filters.outcomes': ['COMPLETED_WITH_ERRORS', 'failed, ABORTED', [2]],
			'filters.connectorNames': [' ; ', [['a']]],
			'filters.uploadStatuses': [',', [['a']]],
		},
		sends: {
			'filters.completedDateFrom': ['2026-01-01', { completedDateFrom: '2025-12-31T23:59:59' }],
			'filters.completedDateTo': ['2026-01-01T00:00Z', { completedDateTo: '2026-01-01T00:00:01' }],
			'filters.createdDateFrom': ['2026-01-01T12:00', { createdDateFrom: '2026-01-01T11:59:59' }],
			'filters.createdDateTo': ['2026-01-01T12:00Z', { createdDateTo: '2026-01-01T12:00:01' }],
			'filters.engagementIds': ['1001, 1002', { engagementId: '1001,1002' }],
			...appliedByNode('filters.externalEngagementIds', 'CRM-1'),
			'filters.uploadId': [UPLOAD, { uploadId: UPLOAD }],
			'sort.field': ['uploadStatus', { orderBy: 'uploadStatus' }],
		},
	},
	'upload.getAll of a connector': {
		parameters: (target) => ({ source: 'connector', ...ofConnector(target) }),
		request: 'GET /v1/engagements/{engagementId}/connectors/{connectorName}/uploads',
		query: () => 'page=0&size=50',
	},
	'upload.getLast': {
		parameters: ofEngagement,
		request: 'GET /v1/clients/{clientId}/lastUploads',
		query: ({ engagementId }) => `engagementIds=${engagementId}&page=0&size=500`,
	},
	'upload.getWorkflow': {
		parameters: ({ engagementId, uploadId }) => ({ engagementId, uploadId, splitSteps: false }),
		request: 'GET /v1/workflows/engagements/{engagementId}/uploads/{uploadId}',
		invalid: { uploadId: notUploadIds },
	},
	'upload.start': {
		parameters: ofConnector,
		request: 'POST /v1/engagements/{engagementId}/connectors/{connectorName}/upload',
		sends: { scopeName: ['Full', { scopeName: 'Full' }] },
	},
	'user.getAll': {
		request: 'GET /v1/clients/{clientId}/users',
		invalid: {
			'filters.statuses': ['ACTIVE, away', [2]],
			'filters.userType': ['customer'],
		},
	},
};
