/** A service that refuses every page size: each list is read nevertheless. */
import type { IDataObject } from 'n8n-workflow';
import { searchList } from '../support/engine/lookups.mts';
import { listIds, makePoller } from '../support/engine/polls.mts';
import { readOutput, requestLines, useService } from '../support/engine/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { makeCredential } from '../support/world/credentials.mts';

useVirtualTime();

const IDS = [1001, 1002, 1003];
let service: SimulatedService;
let uploadId: string;

useService(beforeEach, async () => {
	service = await startService({ settings: { uploadDurationMs: 0 } });
	service.model.addConnector({ name: 'cloudbooks' });
	for (const id of IDS) {
		service.model.addEngagement({ id, name: `Company ${id}`, externalEngagementId: `CRM-${id}` });
		({ uploadId } = service.model.addCompletedUpload({ engagementId: id }));
	}
	const body = { message: 'size must be at most 50' };
	service.fail(
		{ query: { size: /./ } },
		{ kind: 'status', status: 400, body },
		{ times: Infinity },
	);
	return service;
});

const sizes = () => requestLines(service).filter((line) => line.includes('size=')).length;
const each = IDS.map((id) => ({ id }));
const byExternalId = { __rl: true, mode: 'externalId', value: '=CRM-{{ $json.id }}' };

it.each<[count: number, parameters: () => IDataObject]>([
	[3, () => ({ resource: 'upload', operation: 'get', uploadId })],
	[3, () => ({ resource: 'upload', operation: 'getLast', engagementIds: '={{ $json.id }}' })],
	[9, () => ({ resource: 'upload', operation: 'getAll', returnAll: true })],
	[9, () => ({ resource: 'engagement', operation: 'getStatus', returnAll: true })],
	[3, () => ({ resource: 'company', operation: 'get', engagementId: byExternalId })],
	[
		3,
		() => ({
			resource: 'dataRefresh',
			operation: 'run',
			engagementId: byExternalId,
			waitForCompletion: true,
		}),
	],
])('%i items come out of %p', async (count, parameters) => {
	expect(await readOutput(service, parameters(), each)).toHaveLength(count);
	// Requests that are under way together do not know of each other yet.
	expect(sizes()).toBeLessThanOrEqual(3);
});

it('the list of the editor is searched', async () => {
	const given = { node: 'engagementUploads', credential: makeCredential(service) };
	const { results } = await searchList({ ...given, method: 'searchEngagements', filter: '1002' });
	expect(results.map(({ value }) => value)).toEqual(['1002']);
});

it('the trigger emits what is new, in order, with four requests for its first page', async () => {
	const poller = makePoller(service, { startFrom: 'beginning' });
	expect(await listIds(poller)).toHaveLength(3);
	service.clearRequests();
	const { uploadId: next } = service.model.addCompletedUpload({ engagementId: 1001 });
	expect(await listIds(poller)).toEqual([next]);
	const asked = requestLines(service).map((line) => {
		const [order, size] = ['orderBy=', 'size='].map((name) => line.includes(name));
		return `${order} ${size}`;
	});
	expect(asked).toEqual(['true true', 'false true', 'false false', 'true false']);
});

it('followed uploads are found', async () => {
	const poller = makePoller(service, { event: 'uploadFailed' });
	service.settings.uploadDurationMs = Infinity;
	const { uploadId: failing } = service.model.startUpload(1001, 'cloudbooks');
	expect(await listIds(poller)).toEqual([]);
	service.model.clock.move(5 * 3_600_000);
	service.model.updateUpload(failing, { status: 'FAILED' });
	expect(await listIds(poller)).toEqual([failing]);
});
