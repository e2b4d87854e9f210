import type { INodeParameters } from 'n8n-workflow';

import { CREDENTIAL, credentialOf } from '../../support/credentials.mts';
import { runNode } from '../../support/engine/run.mts';
import { typesOfPackage } from '../../support/engine/types.mts';
import type { Prepare } from '../contestant.mts';
import { CONNECTOR, itemsOf, type Workload } from '../workloads.mts';

/** This project's built node, with its defaults. */
export const prepareNode: Prepare = async (target, work) => {
	const types = await typesOfPackage('.');
	const credentials = { [CREDENTIAL]: credentialOf(target) };
	const parameters = parametersOf(work);
	return async () => {
		const { items, error } = await runNode({
			types,
			credentials,
			parameters,
			items: itemsOf(work),
			// Writes run in parallel if a failure does not stop the others.
			onError: 'continueRegularOutput',
		});
		if (error !== undefined) throw error;
		return { records: items.filter(({ json }) => json.error === undefined).length };
	};
};

function parametersOf({ kind }: Workload): INodeParameters {
	switch (kind) {
		case 'uploads':
			return { resource: 'upload', operation: 'getAll', returnAll: true };
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
			throw new Error(`${kind} is a task for the trigger`);
	}
}
