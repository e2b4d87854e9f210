/** Engagement > Get Data Status, of a service whose clock stands still, with uploads of a given age. */
import type { IDataObject } from 'n8n-workflow';

import { requestLines, readOutput } from '../support/engine/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import type { Settings } from '../support/service/settings.mts';

export const NOW = Math.floor(Date.now() / 1000) * 1000;
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** The service of the current test. */
export let service: SimulatedService;

/** Closes the service after each test. */
export function useStatuses(): void {
	afterEach(async () => await service.close());
}

/** Starts a service with engagements from 1; every second one can be refreshed. */
export async function start(engagements: number, settings: Partial<Settings> = {}): Promise<void> {
	service = await startService({ settings: { uploadDurationMs: Infinity, ...settings } });
	const { model } = service;
	model.clock.set(NOW);
	model.addConnector({ name: 'cloudbooks' });
	for (let id = 1; id <= engagements; id += 1)
		model.addEngagement({ id, dataRefreshEnabled: id % 2 === 0 });
}

/** Adds an upload that completed this long ago (ms), and returns its ID. */
export const complete = (engagementId: number, ago: number) =>
	service.model.addCompletedUpload({ engagementId, completedAt: NOW - ago }).uploadId;
/** Adds one that began this long ago, and is in progress. */
export const begin = (engagementId: number, ago: number) => {
	const { uploadId } = service.model.startUpload(engagementId, 'cloudbooks');
	return service.model.updateUpload(uploadId, { createdAt: NOW - ago }).uploadId;
};
/** Adds one that began this long ago, and has failed. */
export const fail = (engagementId: number, ago: number) =>
	service.model.failUpload(begin(engagementId, ago)).uploadId;

/** Asks for all engagements. */
export const parameters = { resource: 'engagement', operation: 'getStatus', returnAll: true };
/** The records that the node returns. */
export const records = async (more: IDataObject = {}) =>
	await readOutput(service, { ...parameters, ...more });
/** The data status of each, such as `1 fresh`. */
export const statuses = async (more: IDataObject = {}) =>
	(await records(more)).map(({ engagementId, dataStatus }) => `${engagementId} ${dataStatus}`);
/** The requests that contain this. */
export const requestsTo = (end: string) =>
	requestLines(service).filter((line) => line.includes(end));
