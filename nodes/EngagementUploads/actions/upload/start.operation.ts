/** Upload > Start (docs/service.md#start-upload). */
import * as api from '../../api/endpoints';
import type { UploadStart } from '../../api/records';
import { connector } from '../../fields/connector';
import { engagement } from '../../fields/engagement';
import { choice } from '../../fields/field';
import { options } from '../../fields/options';
import { isAbsent, queryText } from '../../values/text';
import { writes, type Operation } from '../operation';

const fields = {
	engagementId: engagement,
	connectorName: connector('searchConnectors'),
	scopeName: {
		...choice(
			'Scope',
			'Which data to extract. Use an expression for another scope of the connector; Connector > Get Many lists them.',
			'',
			{
				Collateral: ['Collateral', 'Receivables and payables only'],
				'': ['Default', 'Whatever the service extracts by default'],
				Full: ['Full', 'All data in the accounting package'],
			},
		),
		parse: queryText,
	},
	options: options('customBody'),
};

const started = { key: 'startedUploads', label: 'Uploads started for engagements' };

export const startUpload = {
	resource: 'upload',
	operation: 'start',
	name: 'Start',
	action: 'Start upload and get link for customer',
	description:
		'Start an upload and get the link through which the customer shares the data. Adds an upload to the service.',
	...writes(started, fields, (item, execution) => {
		const { scopeName } = item.values;
		const find = execution.target(item, (id, connector) =>
			api.startUpload(id, connector, scopeName),
		);
		return {
			key: async () => String((await find()).engagementId),
			run: async () => {
				const { engagementId, connectorName, request } = await find();
				const response = await execution.client.record(request);
				const url = customerUrl(response);
				const record = { ...response, url, engagementId, connectorName };
				return { records: [record], done: { engagementId, link: url } };
			},
		};
	}),
} as const satisfies Operation;

/** The address to send the customer to, whichever field the service used. */
function customerUrl(response: UploadStart): string | null {
	const clientUrls = Object.keys(response).filter((name) => name.endsWith('ClientUrl'));
	const isDownload = response.type === 'DOWNLOAD';
	const names = isDownload ? [...clientUrls, 'redirectUrl'] : ['redirectUrl', ...clientUrls];
	return [...names, 'url'].map((name) => response[name]).find(isUrl) ?? null;
}

function isUrl(value: unknown): value is string {
	return typeof value === 'string' && !isAbsent(value);
}
