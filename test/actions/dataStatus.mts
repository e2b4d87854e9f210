/** What the tests of Get Data Status share: engagements with uploads of some age. */
import { linesOf } from '../support/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import type { Settings } from '../support/service/settings.mts';
import { useVirtualTime } from '../support/virtualTime.mts';

useVirtualTime();

export const NOW = Date.UTC(2026, 5, 15, 12);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export let service: SimulatedService;

export async function start(engagements: number, settings: Partial<Settings> = {}): Promise<void> {
	service = await startService({ settings: { uploadDurationMs: Infinity, ...settings } });
	const { model } = service;
	model.setClock(NOW);
	model.addConnector({ name: 'cloudbooks' });
	for (let id = 1; id <= engagements; id += 1)
		model.addEngagement({ id, dataRefreshEnabled: id % 2 === 0 });
}
afterEach(async () => await service.close());

export const complete = (engagementId: number, ago: number) =>
	service.model.addCompletedUpload({ engagementId, completedAt: NOW - ago }).uploadId;
export const begin = (engagementId: number, ago: number) => {
	const { uploadId } = service.model.startUpload(engagementId, 'cloudbooks');
	return service.model.updateUpload(uploadId, { createdAt: NOW - ago }).uploadId;
};
export const fail = (engagementId: number, ago: number) =>
	service.model.failUpload(begin(engagementId, ago)).uploadId;

export const getStatus = { resource: 'engagement', operation: 'getStatus' };
export const requestsTo = (end: string) => linesOf(service).filter((line) => line.includes(end));
