/** Data Refresh > Run with an empty Connector: it takes the connector of the engagement's last upload. */
import { PAGE_SIZE } from '../../fields/options';
import type { Upload } from '../../service/uploadRecords';
import type { Answers } from '../../lookups/lookUp';
import { findLastUploads } from '../../lookups/uploads';
import { ServiceFailure } from '../../transport/errors';
import { InputError } from '../../values/inputError';
import { isAbsent, parsePathPart } from '../../values/text';
import { Item, type CommonValues } from '../item';
import type { Run } from '../run';

const ADVICE =
	'Select a Connector that can refresh data, or let the customer share data first with Upload > Start';

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
			const connectorName = entered ?? findLast(engagementId, uploads);
			ready.push(new Item(run.client, index, { ...values, connectorName }, engagement));
		} catch (error) {
			run.fail(index, error);
		}
	}
	return ready;
}

/** The connector of the last upload; the service refuses it if it cannot refresh data. */
function findLast(engagementId: number, uploads: Answers<Upload>): string {
	const { connectorName } = uploads.get(String(engagementId)) ?? {};
	if (!isAbsent(connectorName)) return parsePathPart(connectorName, 'Connector');
	throw new InputError(
		`Engagement ${engagementId} has no upload to take the connector from, or does not exist`,
		ADVICE,
	);
}

/** The error of a refresh; where the connector cannot refresh data, with what to do. */
export function withConnectorAdvice(error: unknown): unknown {
	const isRefusal = error instanceof ServiceFailure && error.failure.status === 422;
	return isRefusal ? error.withAdvice(ADVICE) : error;
}
