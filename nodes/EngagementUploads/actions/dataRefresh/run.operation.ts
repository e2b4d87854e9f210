/** Data Refresh > Run (interface section 4.11), and the wait for the refreshed uploads. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { connectorField, connectorOf } from '../../fields/connector';
import { engagementField, engagementOf } from '../../fields/engagement';
import { optionsField } from '../../fields/options';
import { parseBoolean, InputError } from '../../values/input';
import { isAbsent } from '../../values/text';
import { refreshResult } from '../../api/kinds';
import { path } from '../../transport/url';
import { runSequentially, outcomeOf, prepared, type Operation, type Task } from '../operation';
import type { Item, Run } from '../execution';
import { shownFor } from '../shown';
import { isActionRequired } from './answer';
import { RefreshWait, type AwaitedUpload } from './wait';

const waitField: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: false,
	description:
		'Whether to wait until the new upload is complete, and add it to the output. Otherwise the workflow goes on at once.',
};

export const fields = shownFor('dataRefresh', 'run', [
	engagementField,
	connectorField('searchRefreshableConnectors'),
	waitField,
	optionsField('customBody', 'waitInterval', 'waitTimeout'),
]);

/** Sends the refreshes one after the other, then waits for all of their uploads together. */
export const operation: Operation = async (run) => {
	const wait = new RefreshWait(run.service);
	const awaited = new Map<number, AwaitedUpload>();
	const works = prepared(run, (item) => refresh(item, wait, awaited));
	const outcomes = await runSequentially(run, works);
	const uploads = wait.all();
	return await Promise.all(
		outcomes.map(async (outcome, index) => {
			const expected = awaited.get(index);
			if ('error' in outcome || expected === undefined) return outcome;
			return await outcomeOf(run, index, async () => {
				await uploads;
				const upload = await uploadOf(run, index, expected);
				return outcome.records.map((record) => ({ ...record, upload }));
			});
		}),
	);
};

function refresh(item: Item, wait: RefreshWait, awaited: Map<number, AwaitedUpload>): Task {
	const engagementId = engagementOf(item);
	const connectorName = connectorOf(item);
	const waits = item.read('waitForCompletion', 'Wait for Completion', parseBoolean);
	const callFor = item.caller('POST');
	const { options } = item;
	if (waits) wait.willRefresh(engagementId);
	return async () => {
		const [id, connector] = [await engagementId(), await connectorName()];
		const before = waits ? await wait.lastUploadBefore(id, connector) : undefined;
		const target = path`/v1/engagements/${id}/connectors/${connector}/refresh`;
		const purpose = `refresh the data of engagement ${id} with connector ${connector}`;
		const answer = await item.run.service.record(callFor(target, purpose), refreshResult);
		const actionRequired = isActionRequired(answer);
		if (waits && actionRequired) throw await customerMustAct(item, id, answer.url);
		if (waits)
			awaited.set(item.index, wait.expect({ engagementId: id, connector, before, options }));
		return [{ ...answer, engagementId: id, connectorName: connector, actionRequired }];
	};
}

async function customerMustAct(item: Item, id: number, url: unknown) {
	const where =
		typeof url === 'string' && !isAbsent(url)
			? ` at ${await item.run.service.telling.shown(url)}`
			: '';
	return item.refusal(
		new InputError(
			`Engagement ${id} was not refreshed: the customer must act first${where}`,
			'Send the customer to that address, then run the refresh again',
		),
	);
}

async function uploadOf(
	run: Run,
	index: number,
	{ record, failure }: AwaitedUpload,
): Promise<IDataObject> {
	if (record !== undefined) return record;
	if (failure instanceof InputError) throw (run.items[index] as Item).refusal(failure);
	return await Promise.reject(failure);
}
