/** Data Refresh > Run (docs/service.md#data-refresh), and the wait for the refreshed uploads. */
import * as api from '../../api/endpoints';
import { connector } from '../../fields/connector';
import { engagement } from '../../fields/engagement';
import { flag } from '../../fields/field';
import type { Item } from '../../fields/item';
import { options } from '../../fields/options';
import { refreshOutput } from '../../output/refreshOutput';
import { simplify } from '../../output/simplified';
import type { Execution } from '../execution';
import type { Outcome } from '../memory';
import { implementation, outcomeOf, runWrites, type Operation, type Write } from '../operation';
import { RefreshedEngagement } from './engagement';
import { UploadLooks } from './uploadLooks';
import { hasFailed, waitForUploads } from './wait';

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
		const looks = new UploadLooks(execution);
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
	hints.add('summary', `${refreshed} to act at the url of the item.`);
}

function prepareRefresh(item: RefreshItem, execution: RefreshExecution, looks: UploadLooks): Write {
	const { refreshed } = execution.memory;
	const { waitForCompletion: waits, options: own } = item.values;
	const find = execution.target(item, api.runRefresh);
	return {
		async key() {
			const { engagementId, connectorName } = await find();
			if (waits) {
				const engagement = refreshed.get(engagementId) ?? new RefreshedEngagement(engagementId);
				refreshed.set(engagementId, engagement);
				engagement.connectors.add(connectorName);
			}
			return String(engagementId);
		},
		async run() {
			const { request, ...target } = await find();
			const { engagementId, connectorName } = target;
			const engagement = refreshed.get(engagementId);
			const knowledge = engagement && looks.knowledgeOf(engagement);
			const response = await execution.client
				.record({ ...request, knowledge })
				.catch(async (error: unknown) => {
					// It may have started an upload, which a later refresh must not take for its own.
					if (engagement !== undefined) engagement.lookedAt = -Infinity;
					return await Promise.reject(error as Error);
				});
			const answer = refreshOutput(response, target);
			const record = waits ? { ...answer, upload: null } : answer;
			const result = { records: [record], done: { engagementId, link: answer.url } };
			if (engagement === undefined || answer.actionRequired) return result;
			// Without Wait for Completion, too: its upload is not that of a later refresh.
			const awaited = engagement.addRefresh(connectorName, own);
			return waits ? { ...result, awaited } : result;
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
	const refreshes = outcomes.flatMap((each) => ('records' in each ? (each.awaited ?? []) : []));
	const errors = await waitForUploads(client, looks, refreshes);
	const results = outcomes.map(async (outcome, index) => {
		if ('error' in outcome || outcome.awaited === undefined) return outcome;
		const { records, awaited } = outcome;
		const finish = async () => {
			if (errors.has(awaited)) throw errors.get(awaited);
			const engagementId = awaited.engagement.id;
			const source = { zone: client.zone, engagementId };
			const upload = simplify(awaited.upload ?? {}, 'upload', source);
			const result = { records: records.map((record) => ({ ...record, upload })) };
			memory.outcomes.set(index, result);
			memory.record(completed, index, { engagementId });
			return result;
		};
		return await outcomeOf(execution, index, finish, () => hasFailed(awaited));
	});
	// All of them have finished by now, before the first error stops the execution.
	return await Promise.all(results);
}
