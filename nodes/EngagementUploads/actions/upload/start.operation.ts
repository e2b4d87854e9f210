/** Upload > Start (docs/service.md#start-upload). */
import * as api from '../../service/endpoints';
import { customerUrl } from '../../service/uploadRecords';
import { connector, engagement } from '../../fields/locators';
import { choice } from '../../fields/field';
import { parseGivenText } from '../../values/text';
import { defineOperation } from '../operation';

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
		parse: parseGivenText,
	},
};

export const startUpload = defineOperation({
	resource: 'upload',
	operation: 'start',
	name: 'Start',
	action: 'Start upload and get link for customer',
	description: 'Start an upload, and get the link through which the customer shares the data',
	fields,
	progress: 'Uploads started for engagements',
	async write(item) {
		const { engagementId, connectorName, scopeName } = item.values;
		const response = await item.send(api.startUpload(engagementId, connectorName, scopeName));
		const record = { ...response, url: customerUrl(response), engagementId, connectorName };
		return { records: [record], writtenTo: engagementId };
	},
});
