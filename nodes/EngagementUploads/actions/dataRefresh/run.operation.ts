/** Data Refresh > Run (docs/service.md#data-refresh), and the wait for the refreshed uploads. */
import type { INodeProperties } from 'n8n-workflow';
import * as api from '../../api/endpoints';
import { connectorField } from '../../fields/connector';
import { engagementField } from '../../fields/engagement';
import type { Item } from '../../fields/item';
import { optionsField } from '../../fields/options';
import { simplify } from '../../output/simplified';
import { InputError } from '../../values/inputError';
import { parseBoolean } from '../../values/scalars';
import type { Execution } from '../execution';
import type { Outcome } from '../memory';
import { outcomeOf, type Operation } from '../operation';
import { runWrites, type Write } from '../writes';
import { isActionRequired } from './actionRequired';
import { RefreshWait, type SentRefresh, type WaitFailure } from './wait';

const waitField: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: false,
	description:
		'Whether to wait until the new upload is complete and add it to the output. Otherwise the workflow continues at once.',
};

export const runRefresh: Operation = {
	resource: 'dataRefresh',
	operation: 'run',
	name: 'Run',
	action: 'Refresh data of engagement',
	description:
		'Get new data from an online accounting package, without involving the customer. Starts an upload in the service.',
	fields: [
		engagementField,
		connectorField('searchRefreshableConnectors'),
		waitField,
		optionsField('customBody', 'parallelRequests', 'waitInterval', 'waitTimeout'),
	],
	/** Sends the refreshes like other writes, then waits for all their uploads together. */
	async execute(execution) {
		const refreshes = execution.memory.share('refreshes', () => new Map<number, SentRefresh>());
		const wait = new RefreshWait(execution.client, refreshes, () => execution.connectors());
		const outcomes = await runWrites(execution, 'startedRefreshes', (item) =>
			prepareRefresh(item, execution, refreshes, wait),
		);
		return await finish(execution, outcomes, refreshes, wait);
	},
};

function prepareRefresh(
	item: Item,
	execution: Execution,
	refreshes: Map<number, SentRefresh>,
	wait: RefreshWait,
): Write {
	const sent = refreshes.get(item.index);
	if (sent !== undefined) {
		const { result, engagementId } = sent;
		return { run: async () => ({ records: [result], engagementId, isPending: true }) };
	}
	const engagementId = execution.engagementId(item);
	const connectorName = execution.connectorName(item);
	const waits = item.read('waitForCompletion', 'Wait for Completion', parseBoolean);
	return {
		key: async () => String(await engagementId()),
		async run() {
			const [id, connector] = [await engagementId(), await connectorName()];
			const before = waits ? await wait.lastUpload(id) : undefined;
			const sentAt = execution.client.serviceTime;
			const request = api.runRefresh(id, connector);
			const response = await execution.record(item, { ...request, isFollowUp: waits });
			const actionRequired = isActionRequired(response);
			const result = { ...response, engagementId: id, connectorName: connector, actionRequired };
			if (!waits) return { records: [result], engagementId: id };
			if (actionRequired) return { records: [{ ...result, upload: null }], engagementId: id };
			refreshes.set(item.index, { engagementId: id, connector, result, before, sentAt });
			return { records: [result], engagementId: id, isPending: true };
		},
	};
}

/** Waits for the uploads of the refreshes that were sent, and adds them to the items. */
async function finish(
	execution: Execution,
	outcomes: Outcome[],
	refreshes: Map<number, SentRefresh>,
	wait: RefreshWait,
): Promise<Outcome[]> {
	const { items, memory } = execution;
	const pending = items.flatMap((item) => {
		const { index } = item;
		const [outcome, refresh] = [outcomes[index], refreshes.get(index)];
		const isSent = outcome !== undefined && 'records' in outcome;
		return isSent && refresh && memory.outcome(index) === undefined ? [{ item, refresh }] : [];
	});
	for (const { item } of pending) memory.progress.remove(item.index);
	const failures = await wait.until(pending.map(({ item }) => item));
	// All are settled before the first error stops the execution.
	const settled = pending.map(({ item, refresh }) => ({
		index: item.index,
		outcome: settle(execution, item, refresh, failures.get(item.index)),
	}));
	const results = [...outcomes];
	await Promise.all(
		settled.map(async ({ index, outcome }) => {
			results[index] = await outcomeOf(execution, index, async () =>
				'error' in outcome ? await Promise.reject(outcome.error) : outcome.records,
			);
		}),
	);
	return results;
}

/** The outcome of a wait, remembered unless the next attempt is to continue waiting. */
function settle(
	{ client, memory }: Execution,
	item: Item,
	{ upload = {}, result, engagementId }: SentRefresh,
	failure: WaitFailure | undefined,
): Outcome {
	const { index } = item;
	if (failure !== undefined) {
		const { error } = failure;
		const outcome = { error: error instanceof InputError ? item.error(error) : (error as Error) };
		// A failed upload stays failed. For everything else, the next attempt waits again.
		if (failure.isFinal) memory.keep(index, outcome);
		return outcome;
	}
	const simplified = simplify(upload, 'upload', { zone: client.zone, engagementId });
	const outcome = { records: [{ ...result, upload: simplified }] };
	memory.keep(index, outcome);
	memory.progress.add(index);
	memory.progress.recordEngagement('completedRefreshes', index, engagementId);
	return outcome;
}
