/** Waiting for refreshed uploads: under Retry On Fail, in parallel, and with clocks set back. */

import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { lastUploadRequests, one, sentRefreshes, refresh, refreshable } from './refreshing.mts';
import { endpointCredentialOf } from '../support/credentials.mts';
import { passTimeFaster } from '../support/fastClock.mts';
import { afterRequest, errorText, itemsFrom, jsonOf, run } from '../support/runs.mts';

const HOUR = 3_600_000;
const onErrorContinue = { onError: 'continueRegularOutput' } as const;

let service: SimulatedService;

beforeEach(async () => {
	service = await refreshable();
});

afterEach(async () => await service.close());

const uploadsOf = (items: Array<{ json: IDataObject }>) =>
	items.map(({ json }) => (json.upload as IDataObject | undefined)?.uploadId);
/** The service's uploads, in the order in which they were started. */
const uploadIds = () => service.model.uploads.all.map(({ uploadId }) => uploadId);

describe('under Retry On Fail', () => {
	it.each([onErrorContinue, {}])(
		'continues to wait for a refresh whose wait timed out: %o',
		async (settings) => {
			service.settings.uploadDurationMs = 700;
			const parameters = refresh({}, { waitTimeout: 0.005 });
			const { items, error } = await run(service, parameters, one, { maxTries: 4, ...settings });
			expect(error).toBeUndefined();
			expect(uploadsOf(items)).toEqual(uploadIds());
			expect(sentRefreshes(service)).toHaveLength(1);
		},
	);

	it('continues to wait for a refresh whose check was denied', async () => {
		const denied = { kind: 'status', status: 403 } as const;
		service.fail({ path: /lastUploads/ }, denied, { skip: 3 });
		const { items } = await run(service, refresh(), itemsFrom(1, 2), { maxTries: 2 });
		expect(uploadsOf(items)).toEqual(uploadIds());
		expect(sentRefreshes(service)).toHaveLength(2);
	});

	it('reports a failed upload in each attempt, without another refresh', async () => {
		service.model.refreshOutcomes.set(1, 'fails');
		const { items } = await run(service, refresh(), itemsFrom(1, 2), {
			...onErrorContinue,
			maxTries: 3,
		});
		expect(jsonOf(items)).toEqual([
			{ error: expect.stringContaining('has the status FAILED') },
			expect.objectContaining({ engagementId: 2, upload: expect.anything() }),
		]);
		expect(sentRefreshes(service)).toHaveLength(2);
	});

	it('resends only the refresh that was rejected', async () => {
		service.fail({ path: /2\/connectors/ }, { kind: 'status', status: 409 });
		const { items } = await run(service, refresh(), itemsFrom(1, 3), { maxTries: 2 });
		expect(uploadsOf(items)).toEqual(uploadIds());
		expect(sentRefreshes(service).map(({ path }) => path.split('/')[3])).toEqual([
			'1',
			'2',
			'2',
			'3',
		]);
	});
});

it('sends all refreshes, even those of one engagement, before waiting', async () => {
	service.settings.uploadDurationMs = 500;
	const items = [{ id: 1 }, { id: 1 }, { id: 2 }, { id: 1 }];
	const { items: results } = await run(service, refresh(), items);
	const posts = sentRefreshes(service);
	expect((posts.at(-1)?.at ?? 0) - (posts[0]?.at ?? 0)).toBeLessThan(500);
	expect(uploadsOf(results)).toEqual(uploadIds());
});

it.each([onErrorContinue, {}])(
	'reports which of two refreshes has failed: %o',
	async (settings) => {
		afterRequest(service, 2, () => service.model.refreshOutcomes.set(1, 'fails'));
		const { items, error } = await run(service, refresh(), [...one, ...one], settings);
		const [first, second] = uploadIds();
		if (error === undefined) {
			expect(jsonOf(items)).toEqual([
				expect.objectContaining({ upload: expect.objectContaining({ uploadId: first }) }),
				{ error: expect.stringContaining(`engagement 1 has failed: upload ${second} has`) },
			]);
		} else {
			expect(error.message).toContain(`engagement 1 has failed: upload ${second} has`);
		}
	},
);

it('does not claim an upload that somebody else started before the refresh was sent', async () => {
	let foreign = '';
	afterRequest(service, 2, () => {
		foreign = service.model.startUpload(2, 'cloudbooks').uploadId;
	});
	const { items } = await run(service, refresh(), itemsFrom(1, 2));
	const [first, other, second] = uploadIds();
	expect(other).toBe(foreign);
	expect(uploadsOf(items)).toEqual([first, second]);
});

it('gives three refreshes of one engagement different uploads, even if listed late', async () => {
	const body: unknown[] = [];
	service.fail(
		{ path: /lastUploads/ },
		{ kind: 'status', status: 200, body },
		{ skip: 1, times: 2 },
	);
	const three = [...one, ...one, ...one];
	const { items } = await run(service, refresh({}, { waitTimeout: 0.05 }), three);
	expect(uploadsOf(items)).toEqual(uploadIds());
});

it('recognises uploads that carry the title of the connector', async () => {
	service.settings.connectorTitles = true;
	service.settings.uploadDurationMs = 0;
	afterRequest(service, 2, () =>
		service.model.addCompletedUpload({
			engagementId: 1,
			connectorName: 'otherbooks',
			createdAt: service.model.now + 1000,
		}),
	);
	const { items } = await run(service, refresh({}, { waitTimeout: 0.05 }), one);
	expect(jsonOf(items)).toMatchObject([
		{ connectorName: 'cloudbooks', upload: { connectorName: 'Connector 1' } },
	]);
});

describe('with clocks set back between two uploads', () => {
	it('finds the new one, dated before the last one', async () => {
		service.settings.printZone = 'Europe/Berlin';
		service.model.setClock(Date.UTC(2026, 9, 25, 0, 55));
		service.model.addCompletedUpload({ engagementId: 1 });
		service.model.setClock(Date.UTC(2026, 9, 25, 1, 10));
		service.settings.uploadDurationMs = 0;
		const { items } = await run(service, refresh({}, { waitTimeout: 0.02 }), one);
		expect(uploadsOf(items)).toEqual([uploadIds()[1]]);
	});

	it('finds the new one, listed after the last one', async () => {
		service.settings.uploadDurationMs = 0;
		service.model.addCompletedUpload({ engagementId: 1, createdAt: service.model.now });
		service.settings.clockSkewMs = -HOUR;
		const { items } = await run(service, refresh({}, { waitTimeout: 0.02 }), one);
		expect(uploadsOf(items)).toEqual([uploadIds()[1]]);
	});
});

it('returns the address at which the customer must act, unchanged', async () => {
	const url = 'https://act.example.com/?token=eyJhbGciOiJub25lIn0.e30.c2ln&access_token=secret';
	const body = { action: 'Sign In', url };
	service.fail({ path: /refresh$/ }, { kind: 'status', status: 200, body });
	const { items } = await run(service, refresh({ connectorName: 'otherbooks' }), one, {
		credential: endpointCredentialOf(service),
	});
	expect(jsonOf(items)).toMatchObject([{ actionRequired: true, url, upload: null }]);
});

describe('after checks that failed', () => {
	passTimeFaster(5);

	it.each([501, 520])('continues to wait, with status %i', async (status) => {
		service.fail({ path: /lastUploads/ }, { kind: 'status', status }, { skip: 1, times: 6 });
		const { items, error } = await run(service, refresh(), one);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});
});

it('continues to wait when its token has expired', async () => {
	service.settings.uploadDurationMs = 500;
	const handle = service.handle.bind(service);
	let answered = 0;
	service.handle = (request) => {
		const outcome = handle(request);
		// Not between a new token and the request that it was fetched for.
		if (!request.path.endsWith('/token') && ++answered % 4 === 0) service.expireTokens();
		return outcome;
	};
	const credential = endpointCredentialOf(service);
	const { items, error } = await run(service, refresh(), one, { credential });
	expect(error).toBeUndefined();
	expect(uploadsOf(items)).toEqual(uploadIds());
	expect(
		sentRefreshes(service).filter(({ path }) => path.endsWith('/token')).length,
	).toBeGreaterThan(1);
});

it('says which refreshes were started and which completed', async () => {
	service.model.refreshOutcomes.set(2, 'fails');
	const result = await run(service, refresh(), itemsFrom(1, 3));
	expect(errorText(result)).toMatch(/engagement 2 has failed: upload \S+ has.*\[item 1\]/);
	expect(result.error?.message).toMatch(
		/2 of 3 items had already been processed\. Refreshes started for engagements: 1, 2, 3\. Refreshes completed for engagements: 1, 3$/,
	);
	expect(lastUploadRequests(service).length).toBeGreaterThan(3);
});
