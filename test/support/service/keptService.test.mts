import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { KeptService } from './keptService.mts';

let folder: string;
let service: KeptService;

const start = async () => {
	service = await KeptService.start(path.join(folder, 'service.jsonl'), 0);
};

beforeEach(async () => {
	folder = mkdtempSync(path.join(os.tmpdir(), 'kept-service-'));
	await start();
});

afterEach(async () => {
	await service.close();
	rmSync(folder, { recursive: true });
});

/** Ends the service and starts it again from its file, as after a kill. */
async function restart(): Promise<void> {
	await service.close();
	await start();
}

/** All records, after what was in progress has ended. */
function records(): unknown[] {
	service.model.moveClock(60_000);
	const { engagements, uploads, users, schedules } = service.model;
	return structuredClone([engagements.all, uploads.all, users, [...schedules]]);
}

it('has the same records after a restart, and continues what was in progress', async () => {
	const client = `/v1/clients/${service.clientId}`;
	service.ask('POST', `${client}/engagements`, { sme: { name: 'Corfe Bakery' } });
	const engagementId = service.model.engagements.all.at(-1)?.id;
	service.ask('POST', `${client}/engagements/${engagementId}/schedule`, {
		scheduleFrequency: '4',
		scheduleStartDate: '2030-01-01',
	});
	service.ask('POST', `/v1/engagements/${engagementId}/connectors/fernbooks/upload`);
	await restart();
	const [upload] = service.model.uploads.of(Number(engagementId));
	expect(upload).toMatchObject({ connectorName: 'fernbooks', completedAt: null });
	const before = records();
	expect(upload?.status).toBe('COMPLETED');
	await restart();
	expect(records()).toEqual(before);
});

it('ignores a rejected request, and one that was cut off while it was written', async () => {
	service.ask('POST', '/v1/engagements/1001/connectors/unknown/upload');
	appendFileSync(path.join(folder, 'service.jsonl'), '{"at":17');
	await restart();
	service.ask('POST', '/v1/engagements/1002/connectors/fernbooks/upload');
	const before = service.model.uploads.all.length;
	await restart();
	expect(service.model.uploads.all).toHaveLength(before);
});
