/** Data Refresh > Run (docs/service.md#data-refresh). */
import * as api from '../../service/endpoints';
import { connectorOrLast, engagement } from '../../fields/locators';
import { builderHint, dependent, flag, number } from '../../fields/field';
import { options } from '../../fields/options';
import { findLastUploads } from '../../lookups/uploads';
import { refreshOutput, type Upload } from '../../service/uploadRecords';
import { MINUTE } from '../../values/clock';
import { InputError } from '../../values/inputError';
import { isAbsent, parsePathPart } from '../../values/text';
import { defineOperation } from '../operation';
import { Wait } from './wait';

const fields = {
	engagementId: engagement,
	connectorName: connectorOrLast,
	waitForCompletion: flag(
		'Wait for Completion',
		'Whether to wait until the new upload is complete and add it to the output. Otherwise the workflow continues at once.',
		builderHint(
			'Turn on if a later node needs the new data: all items wait together, so no Wait node or loop is needed.',
		),
	),
	waitTimeout: dependent(
		{ show: { waitForCompletion: [true] } },
		number('Wait Timeout (Minutes)', 'Maximum time to wait. After that, the item fails.', {
			default: 15,
			min: 0,
			unit: MINUTE,
		}),
	),
	options: options('customBody'),
};

export const runRefresh = defineOperation({
	resource: 'dataRefresh',
	operation: 'run',
	name: 'Run',
	action: 'Refresh data of engagement',
	description:
		'Get new data from an online accounting package without the customer. Starts an upload.',
	fields,
	progress: 'Refreshes started for engagements',
	/** Finds the connectors, and lists what there was before. */
	async prepare(items, run) {
		const ids = (chosen: typeof items) => chosen.map(({ values }) => String(values.engagementId));
		const withoutConnector = items.filter(({ values }) => values.connectorName === undefined);
		const last = await findLastUploads(run.client, ids(withoutConnector));
		const wait = new Wait(run);
		await wait.begin(ids(items.filter(({ values }) => values.waitForCompletion)));
		const connectors = new Map<number, string>();
		for (const { index, values } of items)
			run.check(index, () => {
				const id = String(values.engagementId);
				if (values.waitForCompletion) wait.assertBegun(id);
				connectors.set(index, values.connectorName ?? connectorOf(last.get(id), id));
			});
		return { connectors, wait };
	},
	/** Several items may name the same engagement and connector: one of them sends the request, and all get its result. */
	async write(item, run, { connectors, wait }) {
		const { engagementId, waitForCompletion: waits, waitTimeout = 0 } = item.values;
		const connectorName = connectors.get(item.index) ?? '';
		const target = JSON.stringify([engagementId, connectorName]);
		const send = async () =>
			refreshOutput(await item.send(api.runRefresh(engagementId, connectorName)), {
				engagementId,
				connectorName,
			});
		// The uploads that there were before a refresh are only known in the attempt that has sent it.
		const isAwaited = waits && !run.isFromEarlier(target);
		const answer = await run.writeOnce(target, send);
		if (isAwaited && !answer.actionRequired)
			wait.add({ index: item.index, engagementId, timeout: waitTimeout, answer });
		return { records: [waits ? { ...answer, upload: null } : answer], writtenTo: engagementId };
	},
	finish: async ({ wait }) => await wait.end(),
});

/** The connector of an engagement's last upload; the service refuses it if it cannot refresh data. */
function connectorOf(upload: Upload = {}, engagementId = ''): string {
	if (!isAbsent(upload.connectorName)) return parsePathPart(upload.connectorName, 'Connector');
	throw new InputError(
		`Engagement ${engagementId} has no upload to take the connector from, or does not exist`,
		'Select a Connector that can refresh data, or let the customer share data first with Upload > Start',
	);
}
