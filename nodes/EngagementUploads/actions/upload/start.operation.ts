/** Upload > Start (interface section 4.10). */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { connectorField, connectorOf } from '../../fields/connector';
import { engagementField, engagementOf } from '../../fields/engagement';
import { optionsField } from '../../fields/options';
import { queryText } from '../../values/input';
import { isAbsent } from '../../values/text';
import { uploadStart } from '../../api/kinds';
import { path } from '../../transport/url';
import { writes } from '../operation';
import { shownFor } from '../shown';

const scopeField: INodeProperties = {
	displayName: 'Scope',
	name: 'scopeName',
	type: 'options',
	options: [
		{
			name: 'Collateral',
			value: 'Collateral',
			description: 'Only receivables and payables: who owes what to whom',
		},
		{ name: 'Default', value: '', description: 'What the service takes when it is not told' },
		{ name: 'Full', value: 'Full', description: 'All data in the accounting package' },
	],
	default: '',
	description:
		'Which data to take from the accounting package. Other scopes that a connector lists can be given by an expression.',
};

export const fields = shownFor('upload', 'start', [
	engagementField,
	connectorField('searchConnectors'),
	scopeField,
	optionsField('customBody'),
]);

export const operation = writes((item) => {
	const engagementId = engagementOf(item);
	const connectorName = connectorOf(item);
	const scopeName = item.read('scopeName', 'Scope', queryText);
	const callFor = item.caller('POST');
	return async () => {
		const [id, connector] = [await engagementId(), await connectorName()];
		const target = path`/v1/engagements/${id}/connectors/${connector}/upload`;
		const purpose = `start an upload for engagement ${id} with connector ${connector}`;
		const answer = await item.run.service.record(
			callFor(target, purpose, { scopeName }),
			uploadStart,
		);
		return [{ ...answer, url: customerUrl(answer), engagementId: id, connectorName: connector }];
	};
});

/** The address to send the customer to, whichever field the service used for it. */
function customerUrl(answer: IDataObject): string | null {
	const clientUrl = Object.keys(answer).find(
		(name) => name.endsWith('ClientUrl') && isUrl(answer[name]),
	);
	if (isUrl(answer.redirectUrl)) return answer.redirectUrl;
	return clientUrl === undefined ? null : String(answer[clientUrl]);
}

function isUrl(value: unknown): value is string {
	return typeof value === 'string' && !isAbsent(value);
}
