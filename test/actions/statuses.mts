/** Engagement > Get Data Status, of a service whose clock stands still, with uploads of a given age. */
import type { IDataObject } from 'n8n-workflow';

import { requestLines, readOutput, service, useService } from '../support/engine/runs.mts';
import { startService } from '../support/service/http.mts';
import type { Settings } from '../support/service/settings.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { NOW } from '../support/world/smallWorld.mts';

export { NOW };
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Starts a service for each test, in time that does not pass. */
export function useStatuses(): void {
	useVirtualTime();
	useService(
		beforeEach,
		async () => await startService({ settings: { uploadDurationMs: Infinity } }),
	);
	beforeEach(() => {
		service.model.clock.set(NOW);
		service.model.addConnector({ name: 'cloudbooks' });
	});
}

/** Adds engagements from 1; every second one can be refreshed. */
export function add(engagements: number, settings: Partial<Settings> = {}): void {
	const { model } = service;
	Object.assign(service.settings, settings);
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
export const parameters = { resource: 'engagement', operation: 'getStatus' };
/** The records that the node returns. */
export const records = async (more: IDataObject = {}) =>
	await readOutput(service, { ...parameters, ...more });
/** The data status of each, such as `1 fresh`. */
export const statuses = async (more: IDataObject = {}) =>
	(await records(more)).map(({ engagementId, dataStatus }) => `${engagementId} ${dataStatus}`);
/** The requests that contain this. */
export const requestsTo = (end: string) =>
	requestLines(service).filter((line) => line.includes(end));
