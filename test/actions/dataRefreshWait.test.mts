import type { IDataObject } from 'n8n-workflow';

import { startService, type SimulatedService } from '../service/http.mts';
import {
	afterRequest,
	errorText,
	itemsFrom,
	jsonOf,
	onlyRequest,
	run,
	start,
	until,
} from './setup.mts';

const INTERVAL = 0.05;

let service: SimulatedService;

beforeEach(async () => {
	service = await startService({ settings: { uploadDurationMs: 100 } });
	const { model } = service;
	model.addConnector({ id: '1', name: 'cloudbooks' });
	model.addConnector({ id: '2', name: 'otherbooks' });
	for (const { id } of itemsFrom(1, 200))
		model.addEngagement({ id, externalEngagementId: `E${id}` });
});

afterEach(async () => await service.close());

const refresh = (over: IDataObject = {}, options: IDataObject = {}): IDataObject => ({
	resource: 'dataRefresh',
	operation: 'run',
	engagementId: '={{ $json.id }}',
	connectorName: 'cloudbooks',
	waitForCompletion: true,
	options: { waitInterval: INTERVAL, ...options },
	...over,
});
const one = [{ id: 1 }];
const looks = () => service.requests.filter(({ path }) => path.endsWith('/lastUploads'));
const posts = () => service.requests.filter(({ method }) => method === 'POST');

it('does not look for anything unless asked to wait', async () => {
	await run(service, refresh({ waitForCompletion: false }), one);
	expect(onlyRequest(service).method).toBe('POST');
});

it('adds the record of the refreshed upload', async () => {
	const { items, error } = await run(service, refresh(), one);
	expect(error).toBeUndefined();
	const upload = service.model.lastUpload(1);
	expect(jsonOf(items)).toEqual([
		{
			action: 'No Action Required',
			url: 'null',
			engagementId: 1,
			connectorName: 'cloudbooks',
			actionRequired: false,
			upload: expect.objectContaining({
				uploadId: upload?.uploadId,
				status: 'COMPLETED',
				completionDate: expect.any(String),
				withMemo: false,
			}),
		},
	]);
});

it('works with an engagement by external ID', async () => {
	const engagementId = { __rl: true, mode: 'externalId', value: '=E{{ $json.id }}' };
	const { items } = await run(service, refresh({ engagementId }), one);
	expect(jsonOf(items)).toMatchObject([{ engagementId: 1, upload: { status: 'COMPLETED' } }]);
});

it('does not take an older upload for the new one, where that is listed late', async () => {
	const older = service.model.addCompletedUpload({
		engagementId: 1,
		createdAt: service.model.now - 120_000,
	});
	const path = `/v1/clients/${service.clientId}/lastUploads`;
	const answer = () => service.ask('GET', `${path}?engagementIds=1`).body;
	const withOlder = answer();
	const last = service.model.addCompletedUpload({ engagementId: 1 });
	for (const body of [answer(), withOlder]) {
		service.fail({ path }, { kind: 'status', status: 200, body }, { skip: 1 });
	}
	const { items } = await run(service, refresh(), one);
	const upload = jsonOf(items)[0]?.upload as IDataObject;
	expect(upload.uploadId).toBe(service.model.lastUpload(1)?.uploadId);
	expect([older.uploadId, last.uploadId]).not.toContain(upload.uploadId);
	expect(looks().length).toBeGreaterThanOrEqual(4);
});

it('does not take an upload of another connector for the new one, which that hides', async () => {
	service.settings.uploadDurationMs = 150;
	afterRequest(service, 2, () => {
		const createdAt = service.model.now + 1;
		service.model.addCompletedUpload({ engagementId: 1, connectorName: 'otherbooks', createdAt });
	});
	const { items } = await run(service, refresh({}, { waitTimeout: 0.05 }), one);
	const [{ upload } = {}] = jsonOf(items);
	expect(service.model.lastUpload(1)?.connectorName).toBe('otherbooks');
	expect(upload).toMatchObject({ connectorName: 'cloudbooks', completionDate: expect.any(String) });
});

it('does not miss an upload that is complete before the first look', async () => {
	service.settings.uploadDurationMs = 0;
	service.model.addCompletedUpload({ engagementId: 1, createdAt: service.model.now - 60_000 });
	const { items, error } = await run(service, refresh(), one);
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject([{ upload: { status: 'COMPLETED' } }]);
	expect(looks()).toHaveLength(2);
});

it('tells that the upload has failed', async () => {
	service.settings.refreshOutcome = 'fails';
	const result = await run(service, refresh(), one);
	expect(errorText(result)).toMatch(
		/refreshed upload \S+ of engagement 1 has failed \(status FAILED\) \[item 0\]/,
	);
});

it('tells that the customer must act, and where', async () => {
	service.settings.refreshOutcome = 'actionRequired';
	const result = await run(service, refresh(), one);
	expect(errorText(result)).toContain(
		'the customer must act first at https://connect.example.com/authorise/1',
	);
	expect(looks()).toHaveLength(1);
});

it('gives up in the end, with the last status seen', async () => {
	service.settings.uploadDurationMs = Infinity;
	const result = await run(service, refresh({}, { waitTimeout: 0.005 }), one);
	expect(errorText(result)).toMatch(
		/refreshed upload of engagement 1 was not complete after 0.005 minutes \(last status LOADING\)/,
	);
	expect(errorText(result)).toContain('Wait Timeout');
});

it('goes on after a look that failed for now', async () => {
	service.fail({ path: /lastUploads/ }, { kind: 'status', status: 503 }, { skip: 1 });
	const { items, error } = await run(service, refresh(), one);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
});

it('tells when looking is denied', async () => {
	service.fail({ path: /lastUploads/ }, { kind: 'status', status: 403 }, { skip: 1, times: 99 });
	const result = await run(service, refresh(), one);
	expect(errorText(result)).toMatch(
		/Could not get the last upload of engagement 1: the service denied access \(403\).*\[item 0\]/,
	);
	expect(result.items).toEqual([]);
});

it('refreshes nothing when the upload before cannot be told', async () => {
	service.fail({ path: /lastUploads/ }, { kind: 'status', status: 403 }, { times: 99 });
	const result = await run(service, refresh(), one);
	expect(errorText(result)).toContain('(403)');
	expect(posts()).toEqual([]);
});

it('gives each item its own outcome', async () => {
	service.model.refreshOutcomes.set(2, 'fails').set(3, 'actionRequired');
	const { items } = await run(service, refresh(), itemsFrom(1, 4), {
		onError: 'continueRegularOutput',
	});
	expect(items.map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual([
		{ json: expect.objectContaining({ engagementId: 1 }), pairedItem: { item: 0 } },
		{ json: { error: expect.stringContaining('has failed') }, pairedItem: { item: 1 } },
		{ json: { error: expect.stringContaining('must act') }, pairedItem: { item: 2 } },
		{ json: expect.objectContaining({ engagementId: 4 }), pairedItem: { item: 3 } },
	]);
});

it('waits for two refreshes of the same engagement', async () => {
	service.settings.uploadDurationMs = 0;
	const { items, error } = await run(service, refresh(), [...one, ...one]);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(2);
	expect(posts()).toHaveLength(2);
});

it('finds the upload of each connector that is refreshed', async () => {
	service.settings.uploadDurationMs = 0;
	const { items, error } = await run(
		service,
		refresh({ connectorName: '={{ $json.connector }}' }, { waitTimeout: 0.05 }),
		['cloudbooks', 'otherbooks'].map((connector) => ({ id: 1, connector })),
	);
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject(
		['cloudbooks', 'otherbooks'].map((connectorName) => ({
			connectorName,
			upload: { connectorName, completionDate: expect.any(String) },
		})),
	);
});

it('looks once per interval for up to 100 engagements', async () => {
	const duration = 1500;
	const interval = 0.5;
	service.settings.uploadDurationMs = duration;
	const { items, error } = await run(
		service,
		refresh({}, { waitInterval: interval }),
		itemsFrom(1, 200),
	);
	expect(error).toBeUndefined();
	expect(jsonOf(items).every(({ upload }) => (upload as IDataObject).status === 'COMPLETED')).toBe(
		true,
	);
	expect(posts()).toHaveLength(200);
	const lastPost = service.requests.findLastIndex(({ method }) => method === 'POST');
	const after = service.requests.slice(lastPost + 1);
	expect(after.every(({ path }) => path.endsWith('/lastUploads'))).toBe(true);
	const span = (after.at(-1)?.at ?? 0) - (after[0]?.at ?? 0);
	const intervals = Math.round(span / (interval * 1000)) + 1;
	expect(after.length).toBeLessThanOrEqual(2 * intervals);
	expect(looks().length - after.length).toBe(2);
	expect(looks().every(({ query }) => (query.engagementIds?.split(',').length ?? 0) <= 100)).toBe(
		true,
	);
}, 15_000);

it('stops within a second when the execution is cancelled', async () => {
	service.settings.uploadDurationMs = Infinity;
	const { done, cancel } = start(service, refresh({}, { waitInterval: 60 }), one);
	await until(() => posts()[0]?.doneAt !== undefined, 'the refresh is sent');
	const cancelledAt = Date.now();
	cancel();
	await done;
	expect(Date.now() - cancelledAt).toBeLessThan(1000);
	const sent = service.requests.length;
	expect(sent).toBe(2);
});
