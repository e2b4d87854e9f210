/* Which upload a refresh has started, with Wait for Completion. */

import type { IDataObject } from 'n8n-workflow';

import type { Settings } from '../support/service/settings.mts';
import type { SimulatedService } from '../support/service/http.mts';
import {
	looksOf,
	one,
	refresh,
	refreshable,
	sentRefreshes,
	onErrorContinue,
	uploadIds,
	uploadsOf,
} from './refreshing.mts';
import { credentialOf, endpointCredentialOf } from '../support/credentials.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import { afterRequest, itemsFrom, jsonOf, run, useService } from '../support/runs.mts';

const HOUR = 3_600_000;

let service: SimulatedService;

useService(beforeEach, async () => (service = await refreshable()));

const perConnector = (options: IDataObject = { waitTimeout: 0.05 }) =>
	refresh({ connectorName: '={{ $json.connector }}' }, options);
const of = (...connectors: string[]) => connectors.map((connector) => ({ id: 1, connector }));
/** Adds uploads that are complete before the node runs; returns how many. */
function addOlder(connectors: string[], ageMs = 0): number {
	for (const connectorName of connectors) {
		const createdAt = service.model.now - ageMs;
		service.model.addCompletedUpload({ engagementId: 1, connectorName, createdAt });
	}
	return connectors.length;
}

describe.each<[string, Partial<Settings>]>([
	['as documented', {}],
	['newest first', { unsortedDefault: 'newestFirst' }],
	['in any order', { unsortedDefault: 'shuffled' }],
	['of all engagements', { honourEngagementFilter: false }],
	['with titles of connectors', { connectorTitles: true }],
	['small pages', { maxPageSize: 2 }],
	['in another zone', { printZone: 'America/Los_Angeles' }],
	['with only successful last uploads', { lastUploadsOf: 'completed', uploadDurationMs: 150 }],
])('uploads listed %s', (_what, settings) => {
	beforeEach(() => {
		Object.assign(service.settings, { uploadDurationMs: 0, ...settings });
		service.model.addCompletedUpload({ engagementId: 7 });
	});

	it('finds uploads created in the same second as an older one, even two of one engagement', async () => {
		const older = 1 + addOlder(['cloudbooks', 'cloudbooks', 'otherbooks']);
		const items = of('cloudbooks', 'otherbooks', 'cloudbooks', 'cloudbooks');
		const { items: results } = await run(service, perConnector(), items);
		const started = uploadIds(service).slice(older);
		expect(uploadsOf(results).toSorted()).toEqual(started.toSorted());
		expect(jsonOf(results).map(({ connectorName }) => connectorName)).toEqual(
			uploadsOf(results).map((id) => service.model.uploads.get(String(id))?.connectorName),
		);
	});
});

it('accepts an upload that names no connector as one of any connector', async () => {
	const handle = service.handle.bind(service);
	service.handle = (request) => {
		const outcome = handle(request);
		const { content = [] } = Object(outcome.response?.body) as { content?: IDataObject[] };
		for (const record of content) if ('uploadId' in record) delete record.connectorName;
		return outcome;
	};
	addOlder(['cloudbooks']);
	const { items } = await run(service, refresh(), one);
	expect(uploadsOf(items)).toEqual([uploadIds(service)[1]]);
});

it("requests recent uploads once, by the service's clock", async () => {
	service.settings.clockSkewMs = -40 * 24 * HOUR;
	service.settings.printZone = 'Asia/Tokyo';
	await run(service, refresh(), itemsFrom(1, 3), {
		credential: credentialOf(service, { timeZone: 'Asia/Tokyo' }),
	});
	const looks = looksOf(service).slice(1);
	const from = new Date(service.model.now + (9 - 48) * HOUR).toISOString();
	expect(new Set(looks.map(({ query }) => query.createdDateFrom)).size).toBe(1);
	expect(looks[0]?.query.createdDateFrom).toContain(from.slice(0, 15));
	expect(looks.map(({ query }) => query.engagementId)).toContain('1,2,3');
});

it('does not take the upload of a refresh whose outcome is unknown', async () => {
	const lost = { kind: 'reset', afterProcessing: true } as const;
	service.fail({ path: /refresh$/ }, lost);
	const { items } = await run(service, refresh(), [...one, ...one], onErrorContinue);
	expect(jsonOf(items)[0]?.error).toContain('outcome is unknown');
	expect(uploadsOf(items)[1]).toBe(uploadIds(service)[1]);
});

it('does not take the upload of a refresh that is not waited for', async () => {
	const waits = refresh({ waitForCompletion: '={{ $json.waits }}' });
	const items = [false, true, false].map((each) => ({ id: 1, waits: each }));
	const { items: results } = await run(service, waits, items);
	expect(uploadsOf(results)).toEqual([undefined, uploadIds(service)[1], undefined]);
});

describe('when refreshes have to wait', () => {
	useVirtualTime();

	it.each([1, 64])(
		'looks again before each is sent, so that no upload made meanwhile is taken: %i at once',
		async (parallelRequests) => {
			const wait = { kind: 'status', status: 429, headers: { 'retry-after': '30' } } as const;
			service.fail({ path: /refresh$/ }, wait, { times: 3 });
			const foreign: string[] = [];
			const handle = service.handle.bind(service);
			service.handle = (request) => {
				const outcome = handle(request);
				if (outcome.response?.status !== 429 || foreign.length > 0) return outcome;
				for (const { id } of itemsFrom(1, 3))
					foreign.push(service.model.startUpload(id, 'cloudbooks').uploadId);
				return outcome;
			};
			const parameters = refresh({}, { waitTimeout: 5, parallelRequests });
			const { items, error } = await run(service, parameters, itemsFrom(1, 3), onErrorContinue);
			expect(error).toBeUndefined();
			expect(foreign).toHaveLength(3);
			expect(uploadsOf(items).filter((id) => foreign.includes(String(id)))).toEqual([]);
			expect(new Set(uploadsOf(items)).size).toBe(3);
		},
	);

	it('looks again if a new token took long, so that no upload made meanwhile is taken', async () => {
		afterRequest(service, 2, () => service.expireTokens());
		afterRequest(service, 3, () => (service.settings.latencyMs = 14_000));
		let foreign = '';
		afterRequest(service, 4, () => {
			service.settings.latencyMs = 0;
			foreign = service.model.startUpload(1, 'cloudbooks').uploadId;
		});
		const credential = endpointCredentialOf(service);
		const { items } = await run(service, refresh(), one, { credential });
		expect(sentRefreshes(service).filter(({ path }) => path.endsWith('/refresh'))).toHaveLength(2);
		expect([foreign, ...uploadsOf(items)]).toEqual(uploadIds(service));
	});

	it('lists the connectors again if that has failed', async () => {
		service.settings.connectorTitles = true;
		service.fail({ path: /\/connectors$/ }, { kind: 'status', status: 503 }, { times: 5 });
		const { items } = await run(service, refresh({}, { waitTimeout: 1 }), one);
		expect(uploadsOf(items)).toEqual(uploadIds(service));
	});

	it('looks shortly before it sends any, once for many', async () => {
		service.settings.latencyMs = 100;
		await run(service, refresh(), itemsFrom(1, 40));
		for (const { at, path } of sentRefreshes(service)) {
			const id = path.split('/')[3] ?? '';
			const looks = looksOf(service).filter(
				({ query, doneAt = Infinity }) =>
					query.engagementId?.split(',').includes(id) && doneAt <= at,
			);
			// The rest is for a busy machine; without further looks, it would be 40 s.
			expect(at - (looks.at(-1)?.doneAt ?? 0)).toBeLessThan(25_000);
		}
		const first = sentRefreshes(service).at(-1)?.at ?? 0;
		expect(looksOf(service).filter(({ at }) => at < first).length).toBeLessThan(20);
	});
});
