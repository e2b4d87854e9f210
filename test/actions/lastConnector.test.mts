/** Data Refresh > Run with an empty Connector; fields.test.mts has the ways to leave it empty. */
import type { IDataObject } from 'n8n-workflow';

import {
	onErrorContinue,
	readOutput,
	requestLines,
	run,
	service,
	toJson,
} from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeEach);

const refresh: IDataObject = {
	...{ resource: 'dataRefresh', operation: 'run', engagementId: '={{ $json.id }}' },
	connectorName: { __rl: true, mode: 'list', value: '' },
};

it('is that of the last upload, found for all items together before anything is sent', async () => {
	const { model } = service;
	model.addConnector({ id: '14', name: 'otherbooks', title: 'Other Books' });
	const upload = { engagementId: 1002, connectorName: 'otherbooks' };
	model.addCompletedUpload({ ...upload, createdAt: model.now });
	const records = await readOutput(service, refresh, [{ id: 1001 }, { id: 1002 }]);
	const names = ['cloudbooks', 'otherbooks'];
	expect(records.map(({ connectorName }) => connectorName)).toEqual(names);
	expect(requestLines(service)).toEqual([
		`GET /v1/clients/${service.clientId}/lastUploads?engagementIds=1001,1002&page=0&size=500`,
		`POST /v1/engagements/1001/connectors/cloudbooks/refresh`,
		`POST /v1/engagements/1002/connectors/otherbooks/refresh`,
	]);
});

it('fails only the item whose engagement has no upload', async () => {
	const result = await run(service, refresh, [{ id: 1003 }, { id: 1001 }], onErrorContinue);
	expect(toJson(result.items)).toEqual([
		{
			error: expect.stringMatching(
				/^Engagement 1003 has no upload to take the connector from, or does not exist \[item 0\].*Select a Connector/,
			),
		},
		expect.objectContaining({ engagementId: 1001, connectorName: 'cloudbooks' }),
	]);
});
