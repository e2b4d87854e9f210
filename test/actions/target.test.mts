/* An operation on a connector alone, which this package does not have yet. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Memory } from '../../nodes/EngagementUploads/actions/memory.ts';
import { reads } from '../../nodes/EngagementUploads/actions/operation.ts';
import { connector as kind } from '../../nodes/EngagementUploads/api/records.ts';
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { connector } from '../../nodes/EngagementUploads/fields/connector.ts';
import { propertiesOf } from '../../nodes/EngagementUploads/fields/field.ts';
import { options } from '../../nodes/EngagementUploads/fields/options.ts';
import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { typesOf } from '../support/engine/types.mts';
import { runNode } from '../support/engine/run.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { jsonOf, linesOf, setupOf, useService } from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;

useService(beforeEach, async () => ({ service } = await smallWorld()));

const fields = { connectorName: connector('searchConnectors'), options: options() };
const { execute } = reads(fields, (execution) => (item) => {
	const find = execution.target(item, (_, connectorName) => ({
		method: 'GET',
		path: `/v1/connectors/${connectorName}`,
		purpose: `get connector ${connectorName}`,
		kind,
	}));
	return async () => {
		const { connectorName, request } = await find();
		return [{ connectorName, path: request.path }];
	};
});

class ConnectorNode extends EngagementUploads {
	description = { ...new EngagementUploads().description, properties: propertiesOf(fields) };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const [outcome] = await execute(this, new Memory());
		if (outcome === undefined || 'error' in outcome) throw new Error('The item failed');
		return [outcome.records.map((json) => ({ json }))];
	}
}

it.each([
	['name', 'cloudbooks', []],
	['id', '11', [expect.stringMatching(/^GET .*\/connectors$/)]],
])('a connector can be the whole target, by %s', async (mode, value, requests) => {
	const types = typesOf({
		nodes: { engagementUploads: ConnectorNode },
		credentials: { engagementUploadsApi: EngagementUploadsApi },
	});
	const parameters = { connectorName: { __rl: true, mode, value } };
	const { items, error } = await runNode({ ...setupOf(service, parameters), types });
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toEqual([
		{ connectorName: 'cloudbooks', path: '/v1/connectors/cloudbooks' },
	]);
	expect(linesOf(service)).toEqual(requests);
});
