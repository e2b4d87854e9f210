/** Data Refresh > Run with an empty Connector: it takes the connector of the engagement's last upload. */
import type { Upload } from '../../service/records';
import { distinctNames, findConnectors, isRefreshable } from '../../lookups/connectors';
import type { Answers } from '../../lookups/lookUp';
import { findLastUploads } from '../../lookups/uploads';
import { findStatus } from '../../transport/errors';
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
			const connectorName = entered ?? (await findLast(engagementId, uploads, run));
			ready.push(new Item(run, index, { ...values, connectorName }, engagement));
		} catch (error) {
			run.fail(index, error);
		}
	}
	return ready;
}

/** The name of the connector of an upload, which may contain its title instead. */
async function findLast(engagementId: number, uploads: Answers<Upload>, run: Run): Promise<string> {
	const id = String(engagementId);
	// A service may answer 404 for an engagement without uploads.
	const isMissing = findStatus(uploads.errors.get(id)) === 404;
	const upload = isMissing ? undefined : uploads.get(id);
	if (upload === undefined || isAbsent(upload.connectorName)) {
		throw new InputError(
			`Engagement ${engagementId} has no upload to take the connector from${isMissing ? ', or does not exist' : ''}`,
			'Select a Connector, or let the customer share data first with Upload > Start',
		);
	}
	const subject = `“${run.client.toSafeText(upload.connectorName)}”, the connector of the last upload of engagement ${engagementId}`;
	const found = findConnectors(await run.connectors(), toText(upload.connectorName));
	const [name, ...others] = distinctNames(found.filter(isRefreshable));
	if (name !== undefined && others.length === 0) return parsePathPart(name, 'Connector');
	if (found.length === 0 || name !== undefined) {
		throw new InputError(
			`${subject}, ${name === undefined ? 'is not in the list of connectors' : 'could be any of several connectors'}`,
			'Select a Connector',
		);
	}
	throw new InputError(
		`${subject}, cannot refresh data`,
		'Select another Connector, or ask the customer for new data with Upload > Start',
	);
}
