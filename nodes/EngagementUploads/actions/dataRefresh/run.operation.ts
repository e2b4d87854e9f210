/** Data Refresh > Run (docs/service.md#data-refresh), and the wait for the refreshed uploads. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import * as api from '../../api/endpoints';
import { connectorField } from '../../fields/connector';
import { engagementField } from '../../fields/engagement';
import type { Item } from '../../fields/item';
import { optionsField } from '../../fields/options';
import { InputError } from '../../values/inputError';
import { parseBoolean } from '../../values/scalars';
import type { Execution } from '../execution';
import { outcomeOf, prepareAll, type Operation, type Task } from '../operation';
import { runSequentially } from '../writes';
import { isActionRequired } from './answer';
import { RefreshWait, type AwaitedUpload } from './wait';

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
	action: 'Refresh data of an engagement',
	description: 'Get new data from an online accounting package, without involving the customer',
	fields: [
		engagementField,
		connectorField('searchRefreshableConnectors'),
		waitField,
		optionsField('customBody', 'waitInterval', 'waitTimeout'),
	],
	/** Sends the refreshes one by one, then waits for all their uploads together. */
	async execute(execution) {
		const wait = new RefreshWait(execution.client);
		const awaited = new Map<number, AwaitedUpload>();
		const tasks = prepareAll(execution, (item) => refresh(item, execution, wait, awaited));
		const outcomes = await runSequentially(execution, tasks);
		const uploads = wait.all();
		return await Promise.all(
			outcomes.map(async (outcome, index) => {
				const expected = awaited.get(index);
				if ('error' in outcome || expected === undefined) return outcome;
				return await outcomeOf(execution, index, async () => {
					await uploads;
					const upload = await uploadOf(execution, index, expected);
					return outcome.records.map((record) => ({ ...record, upload }));
				});
			}),
		);
	},
};

function refresh(
	item: Item,
	execution: Execution,
	wait: RefreshWait,
	awaited: Map<number, AwaitedUpload>,
): Task {
	const engagementId = execution.engagementId(item);
	const connectorName = execution.connectorName(item);
	const waits = item.read('waitForCompletion', 'Wait for Completion', parseBoolean);
	const { options } = item;
	if (waits) wait.willRefresh(engagementId);
	return async () => {
		const [id, connector] = [await engagementId(), await connectorName()];
		const before = waits ? await wait.lastUploadBefore(id, connector) : undefined;
		const answer = await execution.record(item, api.runRefresh(id, connector));
		const actionRequired = isActionRequired(answer);
		const result = { ...answer, engagementId: id, connectorName: connector, actionRequired };
		if (waits && actionRequired) return [{ ...result, upload: null }];
		if (waits)
			awaited.set(item.index, wait.expect({ engagementId: id, connector, before, options }));
		return [result];
	};
}

async function uploadOf(
	execution: Execution,
	index: number,
	{ record, failure }: AwaitedUpload,
): Promise<IDataObject> {
	if (record !== undefined) return record;
	const item = execution.items[index];
	if (failure instanceof InputError && item !== undefined) throw item.error(failure);
	return await Promise.reject(failure);
}
