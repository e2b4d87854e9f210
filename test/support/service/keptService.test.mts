import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { KeptService } from './keptService.mts';

let folder: string;
let service: KeptService;

beforeEach(async () => {
	folder = mkdtempSync(path.join(os.tmpdir(), 'kept-service-'));
	service = await start();
});

afterEach(async () => {
	await service.close();
	rmSync(folder, { recursive: true });
});

async function start(): Promise<KeptService> {
	return await KeptService.start(path.join(folder, 'service.jsonl'), 0);
}

/** Ends the service and starts it again from its file, as after a kill. */
async function restart(): Promise<void> {
	await service.close();
	service = await start();
}

async function send(method: 'GET' | 'POST', url: string, body?: object): Promise<unknown> {
	const headers = {
		authorization: `Bearer ${service.accessToken}`,
		'ocp-apim-subscription-key': service.subscriptionKey,
		'content-type': 'application/json',
	};
	const text = body && JSON.stringify(body);
	const answer = await request(`${service.url}${url}`, { method, headers, body: text });
	return await answer.body.json();
}

function records(): unknown[] {
	const { engagements, uploads, users, schedules } = service.model;
	return structuredClone([engagements.all, uploads.all, users, [...schedules]]);
}

it('has the same records after a restart', async () => {
	const client = `/v1/clients/${service.clientId}`;
	await send('POST', `${client}/engagements`, { sme: { name: 'Corfe Bakery' } });
	const engagementId = service.model.engagements.all.at(-1)?.id;
	await send('POST', `/v1/engagements/${engagementId}/connectors/fernbooks/upload`);
	await send('POST', `${client}/engagements/${engagementId}/schedule`, {
		scheduleFrequency: '4',
		scheduleStartDate: '2030-01-01',
	});
	service.model.moveClock(60_000);
	const before = records();
	expect(JSON.stringify(before)).toContain('Corfe Bakery');

	await restart();
	service.model.moveClock(60_000);
	expect(records()).toEqual(before);
	await restart();
	service.model.moveClock(60_000);
	expect(records()).toEqual(before);
});

it('continues an upload that was in progress, in real time', async () => {
	await send('POST', '/v1/engagements/1001/connectors/fernbooks/upload');
	const { uploadId, createdAt } = service.model.uploads.all.at(-1) ?? { uploadId: '' };
	await restart();
	const upload = service.model.uploads.get(uploadId);
	expect(upload).toMatchObject({ createdAt, completedAt: null });
	service.model.moveClock(service.settings.uploadDurationMs);
	expect(upload?.completedAt).toBe(Number(createdAt) + service.settings.uploadDurationMs);
});

it('ignores a rejected request, and one that was cut off while it was written', async () => {
	await send('POST', '/v1/engagements/1001/connectors/unknown/upload');
	appendFileSync(path.join(folder, 'service.jsonl'), '{"at":17');
	await restart();
	await send('POST', '/v1/engagements/1002/connectors/fernbooks/upload');
	const before = service.model.uploads.all.length;
	await restart();
	expect(service.model.uploads.all).toHaveLength(before);
});
