/** Data Refresh > Run with an empty Connector; fields.test.mts has the ways to leave it empty. */
import type { IDataObject } from 'n8n-workflow';

import { callTool } from '../support/engine/tool.mts';
import {
	errorText,
	makeSetup,
	onErrorContinue,
	readOutput,
	requestLines,
	run,
	service,
	toJson,
} from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeEach);

const EMPTY = { __rl: true, mode: 'list', value: '' };
const refresh = (connectorName: IDataObject[string] = EMPTY): IDataObject => ({
	...{ resource: 'dataRefresh', operation: 'run', connectorName },
	engagementId: '={{ $json.id }}',
});

it('is that of the last upload, found for all items together before anything is sent', async () => {
	const { model } = service;
	model.addConnector({ id: '14', name: 'otherbooks', title: 'Other Books' });
	const upload = { engagementId: 1002, connectorName: 'otherbooks' };
	model.addCompletedUpload({ ...upload, createdAt: model.now });
	const items = [{ id: 1001 }, { id: 1002 }, { id: 1001 }];
	const records = await readOutput(service, refresh(), items);
	const names = ['cloudbooks', 'otherbooks', 'cloudbooks'];
	expect(records.map(({ connectorName }) => connectorName)).toEqual(names);
	const client = `/v1/clients/${service.clientId}`;
	expect(requestLines(service)[0]).toBe(
		`GET ${client}/lastUploads?engagementIds=1001,1002&page=0&size=500`,
	);
	// An engagement and connector are refreshed once.
	const sent = service.requests.slice(1).map(({ path }) => path.split('/').at(-2));
	expect(sent).toEqual(names.slice(0, 2));
});

it("may be left empty in an agent's tool", async () => {
	const setup = makeSetup(service, { ...refresh(), engagementId: 1001 });
	const [answer = ''] = await callTool(setup);
	expect(JSON.parse(answer)).toMatchObject([{ engagementId: 1001, connectorName: 'cloudbooks' }]);
});

describe('where it is not known, or cannot refresh', () => {
	beforeEach(() => {
		const { model } = service;
		for (const [index, connectorName] of ['desk-ledger', 'gone'].entries())
			model.addCompletedUpload({
				engagementId: model.addEngagement({ id: 2001 + index }).id,
				connectorName,
			});
	});

	it('the item says why, and the others are refreshed', async () => {
		const items = [1003, 2001, 1001, 2002].map((id) => ({ id }));
		const result = await run(service, refresh(), items, onErrorContinue);
		expect(toJson(result.items)).toEqual([
			{
				error: expect.stringMatching(
					/^Engagement 1003 has no upload to take the connector from, or does not exist \[item 0\].*Select a Connector/,
				),
			},
			{
				error: expect.stringMatching(/engagement 2001 with connector desk-ledger: .*\(422\)/),
			},
			expect.objectContaining({ engagementId: 1001, connectorName: 'cloudbooks' }),
			{ error: expect.stringMatching(/engagement 2002 with connector gone: .*\(404\)/) },
		]);
	});

	it('nothing is sent where an error stops the run', async () => {
		const { error } = await run(service, refresh(), [{ id: 1001 }, { id: 1003 }]);
		expect(error?.message).toContain(
			'has no upload to take the connector from, or does not exist [item 1]',
		);
		expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
	});
});

it.each<[what: string, connectorName: IDataObject[string]]>([
	['alone', '={{ $json.connector }}'],
	['By Name', { ...EMPTY, mode: 'name', value: '={{ $json.connector ?? "" }}' }],
])('an expression %s that yields nothing is refused', async (_what, connectorName) => {
	const result = await run(service, refresh(connectorName), [{ id: 1001 }]);
	expect(errorText(result)).toMatch(/^Connector is empty \| Enter a value in Connector/);
	expect(service.requests).toEqual([]);
});
