import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Item, Parameters } from '../../nodes/EngagementUploads/fields/item.ts';

it('reads parameters without an expression, and the node itself, once for all items', () => {
	const parameters: IDataObject = {
		engagementIds: '={{ $json.id }}',
		uploadId: 'U-1',
		options: { timeout: 5, pageSize: 20 },
	};
	const asked: string[] = [];
	const context = {
		getNode: () => {
			asked.push('node');
			return { parameters };
		},
		getNodeParameter: (name: string) => {
			asked.push(name);
			return parameters[name];
		},
	} as unknown as IExecuteFunctions;
	const shared = new Parameters(context);
	for (const index of [0, 1, 2]) {
		const item = new Item(context, shared, index);
		for (const name of ['engagementIds', 'uploadId']) item.read(name, name, String);
		expect(item.options).toMatchObject({ timeout: 5000, pageSize: 20 });
	}
	expect(asked.toSorted()).toEqual([
		...['engagementIds', 'engagementIds', 'engagementIds'],
		...['node', 'options', 'uploadId'],
	]);
});
