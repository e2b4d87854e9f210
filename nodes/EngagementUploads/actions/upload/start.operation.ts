/** Upload > Start (docs/service.md#start-upload). */
import type { INodeProperties } from 'n8n-workflow';
import * as api from '../../api/endpoints';
import type { UploadStart } from '../../api/records';
import { connectorField } from '../../fields/connector';
import { engagementField } from '../../fields/engagement';
import { optionsField } from '../../fields/options';
import { isAbsent, queryText } from '../../values/text';
import type { Operation } from '../operation';
import { writes } from '../writes';

const scopeField: INodeProperties = {
	displayName: 'Scope',
	name: 'scopeName',
	type: 'options',
	options: [
		{
			name: 'Collateral',
			value: 'Collateral',
			description: 'Receivables and payables only',
		},
		{ name: 'Default', value: '', description: 'Whatever the service extracts by default' },
		{ name: 'Full', value: 'Full', description: 'All data in the accounting package' },
	],
	default: '',
	description:
		'Which data to extract. Use an expression for another scope of the connector; Connector > Get Many lists them.',
};

export const startUpload: Operation = {
	resource: 'upload',
	operation: 'start',
	name: 'Start',
	action: 'Start upload and get link for customer',
	description:
		'Start an upload and get the link where the customer shares the data. Adds an upload to the service.',
	fields: [
		engagementField,
		connectorField('searchConnectors'),
		scopeField,
		optionsField('customBody', 'parallelRequests'),
	],
	execute: writes('startedUploads', (item, execution) => {
		const engagementId = execution.engagementId(item);
		const connectorName = execution.connectorName(item);
		const scopeName = item.read('scopeName', 'Scope', queryText);
		return {
			key: async () => String(await engagementId()),
			run: async () => {
				const [id, connector] = [await engagementId(), await connectorName()];
				const response = await execution.record(item, api.startUpload(id, connector, scopeName));
				const url = customerUrl(response);
				const record = { ...response, url, engagementId: id, connectorName: connector };
				return { records: [record], engagementId: id };
			},
		};
	}),
};

/** The address to send the customer to, whichever field the service used. */
function customerUrl(response: UploadStart): string | null {
	const clientUrl = Object.keys(response).find(
		(name) => name.endsWith('ClientUrl') && isUrl(response[name]),
	);
	const { type, redirectUrl } = response;
	if (isUrl(redirectUrl) && (type !== 'DOWNLOAD' || clientUrl === undefined)) return redirectUrl;
	return clientUrl === undefined ? null : String(response[clientUrl]);
}

function isUrl(value: unknown): value is string {
	return typeof value === 'string' && !isAbsent(value);
}
