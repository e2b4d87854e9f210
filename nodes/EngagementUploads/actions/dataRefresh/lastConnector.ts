/** Data Refresh > Run with an empty Connector: it takes the connector of the engagement's last upload. */
import type { Upload } from '../../service/records';
import { findConnectors, isRefreshable } from '../../lookups/connectors';
import { findLastUploads } from '../../lookups/uploads';
import { InputError } from '../../values/inputError';
import { isAbsent, parsePathPart, toText } from '../../values/text';
import { Item, type CommonValues } from '../item';
import type { Run } from '../run';

const PAGE_SIZE = 500;

type Values = CommonValues & { engagementId: number };

/** The items, each with its connector. Items for which there is none fail. */
export async function withConnectors<V extends Values>(
	items: Array<Item<V>>,
	run: Run,
): Promise<Array<Item<V & { connectorName: string }>>> {
	const ids = items
		.filter(({ values }) => values.connectorName === undefined)
		.map(({ values }) => String(values.engagementId));
	const uploads = await findLastUploads(run.client, ids, { pageSize: PAGE_SIZE });
	const ready: Array<Item<V & { connectorName: string }>> = [];
	for (const { index, values, engagement } of items) {
		const { engagementId, connectorName: entered } = values;
		try {
			const connectorName =
				entered ?? (await findLast(engagementId, uploads.get(String(engagementId)), run));
			ready.push(new Item(run, index, { ...values, connectorName }, engagement));
		} catch (error) {
			run.fail(index, error);
		}
	}
	return ready;
}

/** The name of the connector of an upload, which may contain its title instead. */
async function findLast(
	engagementId: number,
	upload: Upload | undefined,
	run: Run,
): Promise<string> {
	if (upload === undefined || isAbsent(upload.connectorName)) {
		throw new InputError(
			`Engagement ${engagementId} has no upload to take the connector from`,
			'Select a Connector, or let the customer share data first with Upload > Start',
		);
	}
	const subject = `“${run.client.toSafeText(upload.connectorName)}”, the connector of the last upload of engagement ${engagementId}`;
	const found = findConnectors(await run.connectors(), toText(upload.connectorName));
	const [connector, ...others] = found.filter(isRefreshable);
	if (connector !== undefined && others.length === 0)
		return parsePathPart(connector.name, 'Connector');
	if (found.length === 0 || connector !== undefined) {
		throw new InputError(
			`${subject}, ${connector === undefined ? 'is not in the list of connectors' : 'could be any of several connectors'}`,
			'Select a Connector',
		);
	}
	throw new InputError(
		`${subject}, cannot refresh data`,
		'Select another Connector, or ask the customer for new data with Upload > Start',
	);
}
