import type { INodeParameters, OnError } from 'n8n-workflow';

import { CREDENTIAL, credentialOf } from '../../support/credentials.mts';
import { runNode } from '../../support/engine/run.mts';
import { typesOfPackage } from '../../support/engine/types.mts';
import type { Contestant } from '../contestant-process.mts';
import { MEASURED_PACKAGE } from '../install.mts';
import type { Target } from '../service-process.mts';
import type { Task, Workload } from '../workload.mts';
import { CONNECTOR, itemsOf } from './items.mts';

/** This project's built node, with its defaults. */
export async function prepareNode(target: Target, { task }: Workload): Promise<Contestant> {
	return await prepare(target, task);
}

/** The same with On Error: Stop. */
export async function prepareSequentialNode(
	target: Target,
	{ task }: Workload,
): Promise<Contestant> {
	return await prepare(target, task, 'stopWorkflow');
}

async function prepare(
	target: Target,
	task: Task,
	// Writes run in parallel if a failure does not stop the others.
	onError: OnError = 'continueRegularOutput',
): Promise<Contestant> {
	const types = await typesOfPackage(MEASURED_PACKAGE);
	const credentials = { [CREDENTIAL]: credentialOf(target) };
	const parameters = parametersOf(task);
	return async () => {
		const { items, error } = await runNode({
			types,
			credentials,
			parameters,
			items: itemsOf(task),
			onError,
		});
		if (error !== undefined) throw error;
		return items.filter(({ json }) => json.error === undefined).length;
	};
}

function parametersOf(task: Task): INodeParameters {
	switch (task.kind) {
		case 'uploads':
			return {
				resource: 'upload',
				operation: 'getAll',
				returnAll: true,
			};
		case 'company':
			return {
				resource: 'company',
				operation: 'get',
				engagementId: { __rl: true, mode: 'id', value: '={{ $json.engagementId }}' },
			};
		case 'lastUpload':
			return {
				resource: 'upload',
				operation: 'getLast',
				engagementIds: '={{ $json.engagementId }}',
			};
		case 'create':
			return { resource: 'engagement', operation: 'create', name: '={{ $json.name }}' };
		case 'refresh':
			return {
				resource: 'dataRefresh',
				operation: 'run',
				engagementId: { __rl: true, mode: 'id', value: '={{ $json.engagementId }}' },
				connectorName: { __rl: true, mode: 'name', value: CONNECTOR },
			};
		default:
			throw new Error(`${task.kind} is a task for the trigger`);
	}
}
