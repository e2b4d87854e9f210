/** Data Refresh > Run (docs/service.md#data-refresh), and the wait for the refreshed uploads. */
import * as api from '../../api/endpoints';
import { connector } from '../../fields/connector';
import { engagement } from '../../fields/engagement';
import { flag } from '../../fields/field';
import type { Item } from '../../fields/item';
import { options } from '../../fields/options';
import { refreshOutput } from '../../output/refreshOutput';
import { simplify } from '../../output/simplified';
import { isOutcomeUnknown, nodeError } from '../../transport/errors';
import { inSlices } from '../../values/clock';
import type { Execution } from '../execution';
import { MemorySlot, type ItemResult } from '../memory';
import { implementation, outcomeOf, runWrites, type Operation, type Write } from '../operation';
import { RefreshMemory } from './engagement';
import { UploadLooks, type LookErrors } from './uploadLooks';
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

const refreshMemory = new MemorySlot(() => new RefreshMemory());

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
		const memory = refreshMemory.of(execution.memory);
		const attempt: Attempt = { execution, memory, waitedFor: new Map(), errors: new Map() };
		const looks = new UploadLooks(execution.client, memory);
		const sent = await runWrites(
			execution,
			started,
			(item) => prepareRefresh(item, attempt),
			async () => await lookAhead(attempt, looks),
		);
		const results = await awaitUploads(attempt, sent, looks);
		addSummary(execution, results);
		return results;
	}),
} as const satisfies Operation;

/** Says how many customers must act, which is easily overlooked among many items. */
function addSummary({ hints }: RefreshExecution, results: ItemResult[]): void {
	const records = results.flatMap((result) => ('records' in result ? result.records : []));
	const waiting = records.filter(({ actionRequired }) => actionRequired === true).length;
	if (waiting === 0) return;
	const need = waiting === 1 ? '1 needs' : `${waiting} need`;
	const refreshed = `${records.length - waiting} refreshed, ${need} the customer`;
	hints.add('summary', `${refreshed} to open the url of the item.`);
}

/** What the refreshes of an attempt share. */
interface Attempt {
	execution: RefreshExecution;
	memory: RefreshMemory;
	/** The engagements whose uploads are waited for, with the first item of each. */
	waitedFor: Map<number, number>;
	/** Why the earlier uploads of some of them could not be listed. */
	errors: LookErrors;
}

function prepareRefresh(item: RefreshItem, attempt: Attempt): Write {
	const { execution, memory, waitedFor } = attempt;
	const { waitForCompletion: waits, options: own } = item.values;
	const find = execution.target(item, api.runRefresh);
	return {
		async key() {
			const { engagementId } = await find();
			if (waits && !waitedFor.has(engagementId)) waitedFor.set(engagementId, item.index);
			return String(engagementId);
		},
		async run() {
			const { request, ...target } = await find();
			const { engagementId, connectorName: connector } = target;
			if (waits && attempt.errors.has(engagementId)) throw attempt.errors.get(engagementId);
			// Without Wait for Completion, too: its upload is not that of a later refresh.
			const engagement = memory.engagements.get(engagementId);
			const response = await execution.client.record(request).catch(async (error: unknown) => {
				if (isOutcomeUnknown(error))
					engagement?.addRefresh({ connector, options: own, isUnknown: true });
				return await Promise.reject(error as Error);
			});
			const answer = refreshOutput(response, target);
			const record = waits ? { ...answer, upload: null } : answer;
			const result = { records: [record], done: { engagementId, link: answer.url } };
			if (engagement === undefined || answer.actionRequired) return result;
			const refresh = engagement.addRefresh({ connector, options: own, isUnknown: false });
			if (!waits) return result;
			memory.awaited.set(item.index, refresh);
			return { ...result, isPartial: true };
		},
	};
}

/** Lists earlier uploads. @throws if On Error stops, before any refresh is sent */
async function lookAhead(attempt: Attempt, looks: UploadLooks): Promise<void> {
	const { execution, waitedFor } = attempt;
	attempt.errors = await looks.lookAhead(waitedFor.keys());
	if (execution.context.continueOnFail()) return;
	for (const [engagementId, index] of waitedFor) {
		const error = attempt.errors.get(engagementId);
		if (error !== undefined) throw nodeError(execution.context.getNode(), error, index);
	}
}

/** Waits for the uploads of the refreshes that were sent, and adds them to the items. */
async function awaitUploads(
	{ execution, memory }: Attempt,
	sent: ItemResult[],
	looks: UploadLooks,
): Promise<ItemResult[]> {
	const { client } = execution;
	const open = sent.flatMap((outcome, index) => {
		if ('error' in outcome || outcome.isPartial !== true) return [];
		const refresh = memory.awaited.get(index);
		return refresh === undefined ? [] : [{ index, refresh, records: outcome.records }];
	});
	const errors = await waitForUploads(
		client,
		looks,
		open.map(({ refresh }) => refresh),
	);
	const results = [...sent];
	const complete = open.filter(({ refresh }) => !errors.has(refresh));
	for await (const { index, refresh, records } of inSlices(complete)) {
		const engagementId = refresh.engagement.id;
		const upload = simplify(refresh.upload ?? {}, 'upload', { zone: client.zone, engagementId });
		const result = { records: records.map((record) => ({ ...record, upload })) };
		execution.memory.outcomes.set(index, result);
		execution.memory.record(completed, index, { engagementId });
		results[index] = result;
	}
	// Last, since the first error may stop the execution.
	const failed = open.filter(({ refresh }) => errors.has(refresh));
	for await (const { index, refresh } of inSlices(failed)) {
		const fail = async () => await Promise.reject(errors.get(refresh) as Error);
		results[index] = await outcomeOf(execution, index, fail, () => hasFailed(refresh));
	}
	return results;
}
