import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

import { runNode } from '../../support/engine/run.mts';
import { typesOf } from '../../support/engine/types.mts';
import type { Contestant } from '../contestant-process.mts';
import type { Target } from '../service-process.mts';
import type { Workload } from '../workload.mts';
import { itemsOf } from './items.mts';

const NODE = 'reader';

/** A node that reads its one parameter for each item, and passes the items on. */
class Reader implements INodeType {
	description: INodeType['description'] = {
		name: NODE,
		displayName: 'Reader',
		group: ['transform'],
		version: 1,
		description: 'Reads its parameter for each item',
		defaults: { name: 'Reader' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [{ name: 'value', displayName: 'Value', type: 'string', default: '' }],
	};

	async execute(this: IExecuteFunctions) {
		const items = this.getInputData();
		return [items.map((_, item) => ({ json: { value: this.getNodeParameter('value', item) } }))];
	}
}

/** n8n's engine with these items and an expression for each, without any request. */
export async function prepareEngine(_target: Target, { task }: Workload): Promise<Contestant> {
	const types = typesOf({ nodes: { [NODE]: Reader } });
	const parameters = { value: '={{ $json.engagementId }}' };
	return async () => {
		const { items, error } = await runNode({ node: NODE, types, parameters, items: itemsOf(task) });
		if (error !== undefined) throw error;
		return items.length;
	};
}
