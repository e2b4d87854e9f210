import type { INodeParameters } from 'n8n-workflow';
import type { SimulatedService } from '../../support/service/http.mts';

/** An operation's parameters, and the request that it has to send. */
export interface OperationCase {
	name: string;
	parameters: INodeParameters;
	method: 'GET' | 'POST';
	path: string;
	body?: object;
	/** What one of the returned records has to match. */
	returns: Record<string, unknown>;
}

function byId(value: number): INodeParameters {
	return { __rl: true, mode: 'id', value: String(value) };
}

function byName(value: string): INodeParameters {
	return { __rl: true, mode: 'name', value };
}

/** All operations, with parameters for the sample data. */
export function operationCases({ model, clientId }: SimulatedService): OperationCase[] {
	const upload = model.uploads.all.find(
		({ connectorName }) => model.findConnector(connectorName)?.isRefreshable,
	);
	if (upload === undefined)
		throw new Error('The sample data has no upload of a refreshable connector');
	const { engagementId, connectorName, uploadId } = upload;
	const engagement = { engagementId: byId(engagementId) };
	const connector = { connectorName: byName(connectorName) };
	const client = `/v1/clients/${clientId}`;
	const own = `/v1/engagements/${engagementId}`;

	const cases: Array<[string, string, INodeParameters, string, Record<string, unknown>, object?]> =
		[
			['company', 'get', engagement, `${own}/companyDetails`, { engagementId }],
			['connector', 'getAll', {}, `${client}/connectors`, { title: expect.any(String) }],
			['engagement', 'getAll', {}, `${client}/engagements`, { engagementId: expect.any(Number) }],
			['period', 'getAll', engagement, `${own}/periods/`, { engagementId }],
			['upload', 'getAll', {}, `${client}/uploads`, { uploadId: expect.any(String) }],
			[
				'upload',
				'getLast',
				{ engagementIds: String(engagementId) },
				`${client}/lastUploads`,
				{ engagementId, uploadId: expect.any(String) },
			],
			[
				'upload',
				'getWorkflow',
				{ ...engagement, uploadId },
				`/v1/workflows${own.slice('/v1'.length)}/uploads/${uploadId}`,
				{ uploadId, stepCount: expect.any(Number) },
			],
			['user', 'getAll', {}, `${client}/users`, { email: expect.any(String) }],
			[
				'engagement',
				'create',
				{ name: 'Nordlicht Trading Ltd', additionalFields: { externalEngagementId: 'END-TO-END' } },
				`${client}/engagements`,
				{ externalEngagementId: 'END-TO-END' },
				{ sme: { name: 'Nordlicht Trading Ltd' }, externalEngagementId: 'END-TO-END' },
			],
			[
				'upload',
				'start',
				{ ...engagement, ...connector },
				`${own}/connectors/${connectorName}/upload`,
				{ engagementId, type: 'REDIRECT', url: expect.stringMatching(/^https?:/) },
			],
			[
				'dataRefresh',
				'run',
				{ ...engagement, ...connector },
				`${own}/connectors/${connectorName}/refresh`,
				{ engagementId, actionRequired: false },
			],
			[
				'dataRefresh',
				'schedule',
				{ ...engagement, scheduleFrequency: '3', scheduleStartDate: '2030-05-01T00:00:00' },
				`${client}/engagements/${engagementId}/schedule`,
				{ engagementId, actionRequired: false },
				{ scheduleFrequency: '3', scheduleStartDate: '2030-05-01' },
			],
		];
	return cases.map(([resource, operation, parameters, path, returns, body]) => ({
		name: `${resource}: ${operation}`,
		parameters: { resource, operation, ...parameters },
		method: ['create', 'start', 'run', 'schedule'].includes(operation) ? 'POST' : 'GET',
		path,
		returns,
		body,
	}));
}
