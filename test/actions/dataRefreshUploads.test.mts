/* Finding the upload of a refresh, and its outcome. */

import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { lastUploadRequests, one, sentRefreshes, refresh, refreshable } from './refreshing.mts';
import { afterRequest, errorText, jsonOf, run } from '../support/runs.mts';

let service: SimulatedService;

beforeEach(async () => {
	service = await refreshable();
});

afterEach(async () => await service.close());

it('does not mistake an older upload for the new one if the new one is listed late', async () => {
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
	expect(lastUploadRequests(service).length).toBeGreaterThanOrEqual(4);
});

it("does not mistake another connector's upload for the new one, which it hides", async () => {
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

it('does not miss an upload that completes before the first check', async () => {
	service.settings.uploadDurationMs = 0;
	service.model.addCompletedUpload({ engagementId: 1, createdAt: service.model.now - 60_000 });
	const { items, error } = await run(service, refresh(), one);
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject([{ upload: { uploadStatus: 'COMPLETED' } }]);
	expect(lastUploadRequests(service)).toHaveLength(2);
});

it('reports that the upload has failed', async () => {
	service.settings.refreshOutcome = 'fails';
	const result = await run(service, refresh(), one);
	expect(errorText(result)).toMatch(
		/data refresh of engagement 1 has failed: upload \S+ has the status FAILED \[item 0\]/,
	);
});

/** Gives the upload this final status, with or without a completion date. */
function endWith(status: string, completedAt: number | null) {
	service.settings.uploadDurationMs = Infinity;
	afterRequest(service, 3, () => {
		const { uploadId = '' } = service.model.lastUpload(1) ?? {};
		service.model.updateUpload(uploadId, { status, completedAt });
	});
}

it.each(['COMPLETED_WITH_ERRORS', 'Completed - not rejected', 'NOT_REJECTED', 'UNFAILED', 'X7'])(
	'considers an upload with a completion date complete, whatever its status (%s)',
	async (status) => {
		endWith(status, service.model.now);
		const { items, error } = await run(service, refresh(), one);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ upload: { uploadStatus: status } }]);
	},
);

describe.each(['FAILED', 'aborted', 'CANCELED', 'Cancelled', 'REJECTED', 'FAILED_NO_DATA'])(
	'status %s',
	(status) => {
		it.each(['with', 'without'])('reports a failure, %s a completion date', async (dated) => {
			endWith(status, dated === 'with' ? service.model.now : null);
			const result = await run(service, refresh({}, { waitTimeout: 0.05 }), one);
			expect(errorText(result)).toContain(`has the status ${status}`);
		});
	},
);

it('waits for two refreshes of the same engagement', async () => {
	service.settings.uploadDurationMs = 0;
	const { items, error } = await run(service, refresh(), [...one, ...one]);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(2);
	expect(sentRefreshes(service)).toHaveLength(2);
});

it('assigns each of several refreshes of one engagement its own upload', async () => {
	const { items, error } = await run(service, refresh({}, { waitTimeout: 0.05 }), [
		{ id: 1 },
		{ id: 2 },
		{ id: 1 },
		{ id: 1 },
	]);
	expect(error).toBeUndefined();
	const got = jsonOf(items).map(({ upload }) => (upload as IDataObject).uploadId);
	expect(got).toEqual(service.model.uploads.all.map(({ uploadId }) => uploadId));
	expect(sentRefreshes(service)).toHaveLength(4);
});

it('does not attribute a failed refresh to the previous one', async () => {
	service.model.refreshOutcomes.set(1, 'completes');
	service.settings.uploadDurationMs = 50;
	afterRequest(service, 2, () => service.model.refreshOutcomes.set(1, 'fails'));
	const { items } = await run(service, refresh({}, { waitTimeout: 0.05 }), [...one, ...one], {
		onError: 'continueRegularOutput',
	});
	expect(jsonOf(items)).toEqual([
		expect.objectContaining({ upload: expect.objectContaining({ uploadStatus: 'COMPLETED' }) }),
		{ error: expect.stringContaining('has failed') },
	]);
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
