import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { startService, type SimulatedService } from '../support/service/http.mts';
import { errorText, outputOf, run } from '../support/runs.mts';

let service: SimulatedService;

beforeEach(async () => {
	service = await startService();
	service.model.addEngagement({ id: 1 });
	for (let index = 0; index < 200; index += 1)
		service.model.addCompletedUpload({ engagementId: 1 });
});

afterEach(async () => await service.close());

const all: IDataObject = {
	resource: 'upload',
	operation: 'getAll',
	returnAll: true,
	options: { pageSize: 10, timeout: 20, parallelRequests: 8 },
};
const SOON = 5000;
/** Longer than the wait before a second attempt. */
const RETRY = 800;

function fail(page: string | RegExp, fault: Parameters<SimulatedService['fail']>[1]): void {
	service.fail({ path: /uploads$/, query: { page } }, fault, { times: Infinity });
}

/** How often each page was requested, once no more retries can be in flight. */
async function timesAsked(): Promise<Record<string, number>> {
	await sleep(RETRY);
	const times: Record<string, number> = {};
	for (const { query } of service.requests) {
		const page = String(query.page);
		times[page] = (times[page] ?? 0) + 1;
	}
	return times;
}

it('a failed page is reported at once, whatever happens to prefetched pages', async () => {
	fail('1', { kind: 'status', status: 400, body: { message: 'no such page' } });
	fail('2', { kind: 'hang' });
	fail(/^[3-9]$/, { kind: 'status', status: 500 });
	const begun = Date.now();
	expect(errorText(await run(service, all))).toContain('no such page');
	expect(Date.now() - begun).toBeLessThan(SOON);
	const times = await timesAsked();
	expect(Object.values(times).every((count) => count === 1)).toBe(true);
	expect(Object.keys(times).length).toBeLessThanOrEqual(10);
});

it('a list is complete with its last page, whatever happens to pages beyond it', async () => {
	fail(/^([2-5]|[7-9]|1\d)$/, { kind: 'status', status: 500 });
	fail('6', { kind: 'hang' });
	const handle = service.handle.bind(service);
	service.handle = (request) => {
		const outcome = handle(request);
		const body = outcome.response?.body;
		if (request.query.page === '1') Object.assign(body as object, { last: true });
		return outcome;
	};
	const begun = Date.now();
	expect(await outputOf(service, all)).toHaveLength(20);
	expect(Date.now() - begun).toBeLessThan(SOON);
	expect(Object.values(await timesAsked()).every((count) => count === 1)).toBe(true);
});
