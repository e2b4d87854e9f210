/** Data Refresh > Run (docs/service.md#data-refresh), and the wait for the refreshed uploads. */
import * as api from '../../api/endpoints';
import { connector } from '../../fields/connector';
import { engagement } from '../../fields/engagement';
import { flag } from '../../fields/field';
import type { Item } from '../../fields/item';
import { options } from '../../fields/options';
import { simplify } from '../../output/simplified';
import { forItem } from '../../transport/failures/errors';
import type { Execution } from '../execution';
import type { Outcome } from '../memory';
import { implementation, type Operation } from '../operation';
import { runWrites, type Write } from '../writes';
import { refreshOutput } from './refreshOutput';
import { UploadLooks } from './uploadLooks';
import { hasFailed, waitForUploads, type Wait } from './wait';

const fields = {
	engagementId: engagement,
	connectorName: connector('searchRefreshableConnectors'),
	waitForCompletion: flag(
		'Wait for Completion',
		'Whether to wait until the new upload is complete and add it to the output. Otherwise the workflow continues at once.',
	),
	options: options('customBody', 'waitInterval', 'waitTimeout'),
};

type RefreshItem = Item<typeof fields>;
type RefreshExecution = Execution<typeof fields>;

const started = { key: 'startedRefreshes', label: 'Refreshes started for engagements' };
const completed = { key: 'completedRefreshes', label: 'Refreshes completed for engagements' };

export const runRefresh = {
	resource: 'dataRefresh',
	operation: 'run',
	name: 'Run',
	action: 'Refresh data of engagement',
	description:
		'Get new data from an online accounting package, without involving the customer. Starts an upload in the service.',
	/** Sends the refreshes like other writes, then waits for all their uploads together. */
	...implementation(fields, async (execution) => {
		const { client, memory } = execution;
		const connectors = async () => await execution.connectors();
		const looks = new UploadLooks(client, memory.refreshedEngagements, connectors);
		const outcomes = await runWrites(execution, started, (item) =>
			prepareRefresh(item, execution, looks),
		);
		const results = await awaitUploads(execution, outcomes, looks);
		addSummary(execution, results);
		return results;
	}),
} as const satisfies Operation;

/** Says how many customers must act, which is easily overlooked among many items. */
function addSummary({ hints }: RefreshExecution, results: Outcome[]): void {
	const records = results.flatMap((result) => ('records' in result ? result.records : []));
	const waiting = records.filter(({ actionRequired }) => actionRequired === true).length;
	if (waiting === 0) return;
	const need = waiting === 1 ? '1 needs' : `${waiting} need`;
	const refreshed = `${records.length - waiting} refreshed, ${need} the customer`;
	hints.summarize(`${refreshed} to act at the url of the item.`);
}

function prepareRefresh(item: RefreshItem, execution: RefreshExecution, looks: UploadLooks): Write {
	const { memory } = execution;
	const { index } = item;
	const { waitForCompletion: waits, options: own } = item.values;
	const wait = memory.waits.get(index);
	if (wait !== undefined) {
		const { result, engagement } = wait;
		wait.options = own;
		wait.error = undefined;
		return {
			run: async () => ({ records: [result], engagementId: engagement.id, isPending: true }),
		};
	}
	const find = execution.target(item, api.runRefresh);
	return {
		async key() {
			const { engagementId, connectorName } = await find();
			if (waits) memory.refreshedEngagements.announce(engagementId, connectorName);
			return String(engagementId);
		},
		async run() {
			const { engagementId, connectorName, request } = await find();
			const engagement = memory.refreshedEngagements.byId.get(engagementId);
			const baseline = engagement && looks.baseline(engagement);
			const response = await execution.client
				.record({ ...request, knowledge: baseline })
				.catch(async (error: unknown) => {
					// It may have started an upload, which a later refresh must not take for its own.
					if (engagement !== undefined) engagement.lookedAt = -Infinity;
					return await Promise.reject(error as Error);
				});
			const result = refreshOutput(response, { engagementId, connectorName });
			const record = waits ? { ...result, upload: null } : result;
			const done = { records: [record], engagementId, link: result.url };
			if (baseline === undefined || engagement === undefined || result.actionRequired) return done;
			// Without Wait for Completion, too: its upload is not that of a later refresh.
			const refresh = engagement.addRefresh(connectorName, baseline.looks);
			if (!waits) return done;
			memory.waits.set(index, { index, engagement, refresh, result, options: own });
			return { ...done, isPending: true };
		},
	};
}

/** Waits for the uploads of the refreshes that were sent, and adds them to the items. */
async function awaitUploads(
	execution: RefreshExecution,
	outcomes: Outcome[],
	looks: UploadLooks,
): Promise<Outcome[]> {
	const { client, memory } = execution;
	const waits = [...memory.waits.values()].filter(({ index }) => !memory.outcomes.has(index));
	await waitForUploads(client, looks, waits);
	// All are settled before the first error stops the execution.
	const settled = waits.map((wait) => [wait.index, settle(execution, wait)] as const);
	const results = [...outcomes];
	for (const [index, outcome] of settled) {
		if ('error' in outcome && !execution.continuesOnFail) throw outcome.error;
		results[index] = outcome;
	}
	return results;
}

/** The outcome of a wait, remembered unless the next attempt is to continue waiting. */
function settle({ client, context, memory }: RefreshExecution, wait: Wait): Outcome {
	const { index, engagement, refresh, result } = wait;
	if (wait.error !== undefined) {
		const error = forItem(wait.error, index, context.getNode());
		if (hasFailed(wait)) memory.outcomes.set(index, { error });
		return { error };
	}
	const source = { zone: client.zone, engagementId: engagement.id };
	const records = [{ ...result, upload: simplify(refresh.upload ?? {}, 'upload', source) }];
	memory.outcomes.set(index, { records });
	memory.progress.record(completed, index, { engagementId: engagement.id });
	return { records };
}
