/** Connector, and single engagements and uploads: how one record is found. */
import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import {
	errorText,
	itemsFrom,
	onErrorContinue,
	readOutput,
	run,
	toJson,
	useService,
} from '../support/runs.mts';
import { smallWorld } from '../support/smallWorld.mts';

let service: SimulatedService;
let uploads: string[];

useService(beforeAll, async () => ({ service, uploads } = await smallWorld()));

describe('Connector by ID', () => {
	const list = (id: string): IDataObject => ({
		resource: 'upload',
		operation: 'getAll',
		source: 'connector',
		engagementId: 1001,
		connectorName: { __rl: true, mode: 'id', value: id },
	});

	it('is looked up in the connector list, once', async () => {
		await run(service, list('12'), [{}, {}, {}]);
		const path = '/v1/engagements/1001/connectors/desk-ledger/uploads';
		const asked = service.requests.map((request) => request.path);
		expect(asked).toEqual([`/v1/clients/${service.clientId}/connectors`, path, path, path]);
	});

	it('that no connector has is an error', async () => {
		expect(errorText(await run(service, list('99')))).toMatch(/“99”.*to By Name/);
		expect(service.requests).toHaveLength(1);
	});
});

describe('Engagement > Get', () => {
	const get = (options: IDataObject = {}): IDataObject => ({
		resource: 'engagement',
		operation: 'get',
		engagementId: '={{ $json.id }}',
		options,
	});

	it('by ID reads the list until all are found, once for all items', async () => {
		service.settings.pageFields = 'lastOnly';
		const items = [{ id: 1003 }, { id: 1001 }, { id: 1003 }];
		const records = await readOutput(service, get({ pageSize: 1 }), items);
		expect(records.map(({ engagementId }) => engagementId)).toEqual([1003, 1001, 1003]);
		expect(service.requests.map(({ query }) => query.page)).toEqual(['0', '1', '2']);
		service.settings.pageFields = 'spring';
	});

	it('of an engagement that there is not is an error of that item', async () => {
		const { items } = await run(service, get(), itemsFrom(1003, 2), onErrorContinue);
		expect(toJson(items)).toEqual([
			expect.objectContaining({ engagementId: 1003 }),
			{ error: expect.stringMatching(/^No engagement has the ID 1004 \[item 1\].*By External ID/) },
		]);
	});
});

describe('an upload ID', () => {
	const operations: Record<string, (id: string) => IDataObject> = {
		'Upload > Get': (uploadId) => ({ operation: 'get', uploadId }),
		'Get Steps': (uploadId) => ({ operation: 'getWorkflow', engagementId: 1001, uploadId }),
		'the filter of Get Many': (uploadId) => ({ operation: 'getAll', filters: { uploadId } }),
	};
	const spellings: Array<[how: string, spell: (id: string) => string]> = [
		['without dashes', (id) => id.replaceAll('-', '')],
		['in capitals', (id) => id.toUpperCase()],
	];

	it.each(
		Object.entries(operations).flatMap(([where, given]) =>
			spellings.map(([how, spell]) => ({ where, how, given, spell })),
		),
	)('$how is that of the same upload in $where', async ({ given, spell }) => {
		const [uploadId = ''] = uploads;
		const parameters = { resource: 'upload', ...given(spell(uploadId)) };
		expect(await readOutput(service, parameters)).toMatchObject([{ uploadId }]);
	});
});

describe('Upload > Get', () => {
	const get = { resource: 'upload', operation: 'get', uploadId: '={{ $json.id }}' };
	const none = '00000000-0000-4000-8000-000000000000';

	it('asks for each upload; one that there is not is an error of that item', async () => {
		const ids = [uploads[1], none, uploads[0]].map((id) => ({ id }));
		const { items } = await run(service, get, ids as IDataObject[], onErrorContinue);
		expect(toJson(items)).toEqual([
			expect.objectContaining({ uploadId: uploads[1], engagementId: 1002 }),
			{ error: expect.stringContaining(`No upload has the ID “${none}” [item 1]`) },
			expect.objectContaining({ uploadId: uploads[0], engagementId: 1001 }),
		]);
		expect(service.requests).toHaveLength(3);
	});
});
