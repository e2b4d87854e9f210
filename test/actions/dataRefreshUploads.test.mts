/* Which upload a refresh has started, with Wait for Completion. */

import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../support/service/faults.mts';
import type { Settings } from '../support/service/settings.mts';
import type { SimulatedService } from '../support/service/http.mts';
import {
	changeLists,
	looksOf,
	one,
	refresh,
	refreshable,
	sentRefreshes,
	onErrorContinue,
	uploadIds,
	uploadsOf,
} from './refreshing.mts';
import { credentialOf } from '../support/credentials.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import { itemsFrom, jsonOf, run, useService } from '../support/runs.mts';

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
		const result = await run(service, perConnector(), items);
		const started = uploadIds(service).slice(older);
		expect(uploadsOf(result).toSorted()).toEqual(started.toSorted());
		expect(jsonOf(result.items).map(({ connectorName }) => connectorName)).toEqual(
			uploadsOf(result).map((id) => service.model.uploads.get(String(id))?.connectorName),
		);
	});
});

it('accepts an upload that names no connector as one of any connector', async () => {
	changeLists(service, (uploads) => uploads.forEach((each) => delete each.connectorName));
	addOlder(['cloudbooks']);
	const result = await run(service, refresh(), one);
	expect(uploadsOf(result)).toEqual([uploadIds(service)[1]]);
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

it('does not take the upload of a refresh that is not waited for', async () => {
	const waits = refresh({ waitForCompletion: '={{ $json.waits }}' });
	const items = [false, true, false].map((each) => ({ id: 1, waits: each }));
	const result = await run(service, waits, items);
	expect(uploadsOf(result)).toEqual([undefined, uploadIds(service)[1], undefined]);
});

it.each([
	['may have happened', true],
	['did not happen', false],
])('finds the upload of a refresh after one that failed and %s', async (_what, afterProcessing) => {
	service.fail({ path: /refresh$/ }, { kind: 'reset', afterProcessing });
	const result = await run(service, refresh(), [...one, ...one], onErrorContinue);
	expect(jsonOf(result.items)[0]?.error).toContain('outcome is unknown');
	expect(uploadsOf(result)[1]).toBe(uploadIds(service).at(-1));
});

it('sends no refresh if one engagement cannot be looked at, unless On Error continues', async () => {
	const match = { method: 'GET', query: { engagementId: /\b2\b/ } };
	service.fail(match, { kind: 'status', status: 403 }, { times: Infinity });
	const stopped = await run(service, refresh(), itemsFrom(1, 3));
	expect(stopped.error?.message).toMatch(
		/^Could not look for earlier uploads of engagement 2, so no refresh was sent: .*\(403\).*\[item 1\]/,
	);
	expect(sentRefreshes(service)).toEqual([]);
	const result = await run(service, refresh(), itemsFrom(1, 3), onErrorContinue);
	expect(jsonOf(result.items)[1]?.error).toContain('engagement 2, so no refresh was sent');
	expect(uploadsOf(result)).toEqual([uploadIds(service)[0], undefined, uploadIds(service)[1]]);
});

describe('when refreshes have to wait', () => {
	useVirtualTime();

	it('looks once before the first refresh, and the same way while waiting', async () => {
		const wait: Fault = { kind: 'status', status: 429, headers: { 'retry-after': '60' } };
		service.fail({ path: /refresh$/ }, wait, { times: 3 });
		const result = await run(service, refresh({}, { waitTimeout: 5 }), itemsFrom(1, 150));
		expect(new Set(uploadsOf(result)).size).toBe(150);
		const looks = looksOf(service);
		const methods = service.requests.map(({ method }) => method);
		expect(methods.lastIndexOf('POST')).toBe(2 + 150 + 3 - 1);
		expect(methods.slice(0, 3)).toEqual(['GET', 'GET', 'POST']);
		expect(new Set(looks.map(({ query }) => query.createdDateFrom)).size).toBe(1);
		expect(looks[2]?.query).toEqual(looks[0]?.query);
	});

	it('finds an upload by the name of a connector whose title was entered', async () => {
		const handle = service.handle.bind(service);
		service.handle = ({ path, url, ...request }) => {
			const named = (text: string) => text.replace('Cloud%20Books', 'cloudbooks');
			return handle({ ...request, path: named(path), url: named(url) });
		};
		const body = [{ id: '1', name: 'cloudbooks', title: 'Cloud Books' }];
		service.fail({ path: /\/connectors$/ }, { kind: 'status', status: 200, body });
		const result = await run(service, refresh({ connectorName: 'Cloud Books' }), one);
		expect(uploadsOf(result)).toEqual(uploadIds(service));
	});

	it('lists the connectors again if that has failed', async () => {
		service.settings.connectorTitles = true;
		service.fail({ path: /\/connectors$/ }, { kind: 'status', status: 503 }, { times: 5 });
		const result = await run(service, refresh({}, { waitTimeout: 1 }), one);
		expect(uploadsOf(result)).toEqual(uploadIds(service));
	});
});
