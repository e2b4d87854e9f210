/** Data Refresh > Run (docs/service.md#data-refresh), and the wait for the refreshed uploads. */
import type { IDataObject } from 'n8n-workflow';
import * as api from '../../service/endpoints';
import { connectorOrLast, engagement } from '../../fields/locators';
import { builderHint, flag } from '../../fields/field';
import { options } from '../../fields/options';
import { simplify } from '../../service/kind';
import { otherAction, refreshOutput, upload as uploadKind } from '../../service/uploadRecords';
import { isOutcomeUnknown } from '../../transport/errors';
import { emptyField, quote } from '../../values/inputError';
import type { Item, ItemOf } from '../item';
import { defineOperation } from '../operation';
import type { Outcome } from '../retryMemory';
import type { Run } from '../run';
import { withConnectorAdvice, withConnectors } from './lastConnector';
import type { SentRefreshes } from './sentRefreshes';
import { hasFailed, waitForUploads } from './wait';

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
	options: options('customBody', 'waitInterval', 'waitTimeout'),
};

export const runRefresh = defineOperation({
	resource: 'dataRefresh',
	operation: 'run',
	name: 'Run',
	action: 'Refresh data of engagement',
	description:
		'Get new data from an online accounting package, without involving the customer. Starts an upload in the service.',
	fields,
	progress: 'Refreshes started for engagements',
	check({ connectorName }, isExpression) {
		// An expression without a result is more likely a mistake than a choice.
		if (connectorName === undefined && isExpression('connectorName'))
			throw emptyField(fields.connectorName.property.displayName);
	},
	/** Sends the refreshes like other writes, then waits for all their uploads together. */
	async execute(items, run) {
		const sent = run.memory.refreshes;
		const ready = await takeBaseline(await withConnectors(items, run), sent, run);
		await run.writeEach(
			ready,
			async (item) => await refresh(item, sent, run),
			({ values }) => values.engagementId,
		);
		await awaitUploads(sent, run);
	},
});

type RefreshItem = Item<ItemOf<typeof fields>['values'] & { connectorName: string }>;

/** Lists the earlier uploads for items that wait. Items whose uploads cannot be listed are left out. */
async function takeBaseline(
	items: RefreshItem[],
	sent: SentRefreshes,
	run: Run,
): Promise<RefreshItem[]> {
	const ids = items
		.filter(({ values }) => values.waitForCompletion)
		.map(({ values }) => values.engagementId);
	const errors = await sent.takeBaseline(run.client, ids);
	return items.filter(({ index, values }) => {
		const error = values.waitForCompletion && errors.get(String(values.engagementId));
		if (error) run.fail(index, error);
		return !error;
	});
}

async function refresh(item: RefreshItem, sent: SentRefreshes, run: Run): Promise<Outcome> {
	const { engagementId, connectorName, waitForCompletion: waits, options: own } = item.values;
	// Also if the item does not wait, so that its upload is not taken for that of a later refresh.
	const add = (action?: string) =>
		sent.add({ index: item.index, engagementId, connectorName, options: own, action });
	const request = api.runRefresh(engagementId, connectorName);
	const response = await item.send(request).catch((error: unknown) => {
		if (isOutcomeUnknown(error)) add();
		throw withConnectorAdvice(error);
	});
	const answer = refreshOutput(response, { engagementId, connectorName });
	const action = noteOtherAction(response, engagementId, run);
	if (!answer.actionRequired) add(action);
	else run.hints.add('actionRequired', engagementId);
	return {
		records: [waits ? { ...answer, upload: null } : answer],
		isPartial: waits && !answer.actionRequired,
		writtenTo: engagementId,
	};
}

/** Adds a hint if the service asks for an action that this node does not know. Returns it in quotation marks. */
export function noteOtherAction(
	response: IDataObject,
	engagementId: number,
	{ client, hints }: Run,
): string | undefined {
	const action = otherAction(response);
	if (action === undefined) return undefined;
	const quoted = quote(client.toSafeText(action));
	hints.add('otherAction', `${quoted} (engagement ${engagementId})`);
	return quoted;
}

/** Waits for the uploads of refreshes, and adds them to the items. */
async function awaitUploads(sent: SentRefreshes, run: Run): Promise<void> {
	const { client, memory, outcomes } = run;
	const open = sent.all.filter(({ index }) => outcomes[index]?.isPartial);
	const errors = await waitForUploads(client, sent, open);
	for (const each of open.filter((one) => !errors.has(one))) {
		const { index, engagementId } = each;
		const upload = simplify(each.upload ?? {}, uploadKind, { zone: client.zone, engagementId });
		const records = (outcomes[index]?.records ?? []).map((record) => ({ ...record, upload }));
		outcomes[index] = { records, writtenTo: engagementId };
		memory.outcomes.set(index, outcomes[index]);
	}
	// Last, since the first error may stop the run.
	for (const each of open.filter((one) => errors.has(one))) {
		const error = errors.get(each);
		const { index, engagementId } = each;
		if (hasFailed(each))
			memory.outcomes.set(index, { records: [], error, writtenTo: engagementId });
		run.fail(index, error);
	}
}
