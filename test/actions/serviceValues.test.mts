/** What services send in other forms than documented: booleans, and uploads that completed without a date. */
import type { IDataObject } from 'n8n-workflow';

import { CREDENTIAL, makeCredential } from '../support/credentials.mts';
import { searchList } from '../support/engine/lookups.mts';
import { readOutput, run, useService } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import { one, refresh, refreshable, pickUploads } from './refreshing.mts';

useVirtualTime();

let service: SimulatedService;

useService(beforeEach, async () => (service = await refreshable()));

const answer = (path: RegExp, body: unknown) =>
	service.fail({ path }, { kind: 'status', status: 200, body }, { times: Infinity });

const TRUE = [true, 'TRUE', 'yes', 1];
const FALSE = [false, 'False', 'no', '0'];

describe('the booleans of the service', () => {
	const values = [...TRUE, ...FALSE];
	const expected = values.map((_, index) => index < TRUE.length);

	it('tell which connectors can refresh data', async () => {
		const connectors = values.map((isRefreshable, id) => ({ id, name: `c${id}`, isRefreshable }));
		answer(/connectors$/, connectors);
		const list = { resource: 'connector', operation: 'getAll', returnAll: true };
		const all = await readOutput(service, list);
		expect(all.map((each) => each.isRefreshable)).toEqual(expected);
		for (const refreshable of [true, false]) {
			const found = await readOutput(service, { ...list, filters: { refreshable } });
			expect(found.map((each) => each.isRefreshable)).toEqual(
				expected.filter((each) => each === refreshable),
			);
		}
		const credentials = { [CREDENTIAL]: makeCredential(service) };
		const { results } = await searchList({ credentials, method: 'searchRefreshableConnectors' });
		expect(results).toHaveLength(TRUE.length);
	});

	it('tell which engagements have data refresh enabled', async () => {
		answer(
			/engagements$/,
			values.map((dataRefreshEnabled, Id) => ({ Id: Id + 1, dataRefreshEnabled })),
		);
		answer(/ploads$/, []);
		for (const operation of ['getAll', 'getStatus']) {
			const list = { resource: 'engagement', operation, returnAll: true };
			const all = await readOutput(service, list);
			expect(all.map((each) => each.dataRefreshEnabled)).toEqual(expected);
			for (const refreshable of ['Yes', 'false']) {
				const found = await readOutput(service, { ...list, filters: { refreshable } });
				expect(found).toHaveLength((refreshable === 'Yes' ? TRUE : FALSE).length);
			}
		}
	});
});

describe('an upload that completed, but has no completion date,', () => {
	const complete = (status: string) => {
		for (const { uploadId } of service.model.uploads.all)
			service.model.updateUpload(uploadId, { status, completedAt: null });
	};

	it.each(['COMPLETED', 'Done'])('ends a wait: %s', async (status) => {
		service.settings.uploadDurationMs = Infinity;
		const handle = service.handle.bind(service);
		service.handle = (request) => {
			if (request.method === 'GET') complete(status);
			return handle(request);
		};
		const result = await run(service, refresh({}, { waitTimeout: 1 }), one);
		expect(pickUploads(result)).toEqual([service.model.lastUpload(1)?.uploadId]);
		expect(result.items[0]?.json.upload).toMatchObject({
			uploadStatus: status,
			completionDate: null,
		});
	});

	it.each<[status: string, hours: number, dataStatus: string, ageDays: number | null]>([
		['COMPLETED', 7, 'fresh', 0],
		['COMPLETED', 31 * 24, 'stale', 31],
		['NOT_COMPLETED', 7, 'stuck', null],
	])(
		'has the data status of its creation: %s, %d hours ago',
		async (status, hours, ...expected) => {
			service.model.startUpload(1, 'cloudbooks');
			complete(status);
			const { uploadId } = service.model.lastUpload(1) ?? {};
			const createdAt = service.model.now - hours * 3_600_000;
			service.model.updateUpload(String(uploadId), { createdAt });
			const given = { resource: 'engagement', operation: 'getStatus', limit: 1 };
			const [record] = await readOutput(service, given as IDataObject);
			expect([record?.dataStatus, record?.ageDays]).toEqual(expected);
			expect(record?.completionDate).toBeNull();
		},
	);
});
