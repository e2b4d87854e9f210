/** What Return All, Limit and Page Size request; test/transport/lists tests how lists are read. */
import type { IDataObject } from 'n8n-workflow';

import { startService, type SimulatedService } from '../support/service/http.mts';
import { outputOf, useService } from '../support/runs.mts';

const UPLOADS = 250;

let service: SimulatedService;

useService(beforeAll, async () => (service = await startService()));
beforeAll(() => {
	const { model } = service;
	model.addConnector({ name: 'cloudbooks' });
	model.addEngagement({ id: 1 });
	for (let index = 0; index < UPLOADS; index += 1) model.addCompletedUpload({ engagementId: 1 });
});

const limited = (limit?: number, pageSize = 100): IDataObject => ({
	resource: 'upload',
	operation: 'getAll',
	output: 'selectedFields',
	fields: 'uploadId',
	options: { pageSize },
	limit,
});

it.each([
	[1, 1],
	[100, 1],
	[101, 2],
	[250, 3],
	[999, 3],
])('a limit of %i needs no more requests than necessary', async (limit, requests) => {
	const records = await outputOf(service, limited(limit));
	const expected = service.model.uploads.all.slice(0, limit);
	expect(records.map(({ uploadId }) => uploadId)).toEqual(expected.map(({ uploadId }) => uploadId));
	expect(service.requests).toHaveLength(requests);
	expect(service.requests[0]?.query.size).toBe(String(Math.min(limit, 100)));
});

it('the limit is 50 by default', async () => {
	expect(await outputOf(service, limited())).toHaveLength(50);
});

it('the limit applies with the requested page size', async () => {
	expect(await outputOf(service, limited(25, 10))).toHaveLength(25);
	expect(service.requests.map(({ query }) => query.size)).toEqual(['10', '10', '10']);
});

it('a list that is not documented as paged is followed if it turns out to be', async () => {
	service.settings.pageFieldsOnUnpaged = true;
	for (let more = service.model.users.length; more < 45; more += 1) service.model.addUser();
	const users = { resource: 'user', operation: 'getAll', returnAll: true };
	const ids = (await outputOf(service, users)).map(({ id }) => id);
	expect(ids).toEqual(Array.from({ length: 45 }, (_, index) => index + 1));
	expect(service.requests.map(({ query }) => query)).toEqual([
		{},
		{ page: '1', size: '20' },
		{ page: '2', size: '20' },
	]);
});
