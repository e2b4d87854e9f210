import type { IDataObject } from 'n8n-workflow';

import { makeCredential } from '../support/world/credentials.mts';
import { onlyRequest, readOutput, run, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeAll);

const parameters = (over: IDataObject): IDataObject => ({
	resource: 'upload',
	operation: 'getAll',
	...over,
});
const ofConnector = { source: 'connector', engagementId: 1001, connectorName: 'cloudbooks' };

it('takes a date in the zone of the workflow or its own, and asks for a second more in that of the credential', async () => {
	const credential = makeCredential(service, { timeZone: 'America/New_York' });
	const createdDateFrom = '={{ DateTime.fromISO("2026-07-01T12:00Z") }}';
	const filters = { completedDateFrom: '2026-07-01T12:00:00', createdDateFrom };
	await run(service, parameters({ filters }), [{}], { credential, timezone: 'Europe/Berlin' });
	expect(onlyRequest(service).query).toMatchObject({
		completedDateFrom: '2026-07-01T05:59:59',
		createdDateFrom: '2026-07-01T07:59:59',
	});
});

it.each([
	// A limit that is hidden is not read.
	['={{ "True" }}', 0, '100'],
	['False', 1, '1'],
])('Return All may be %j, with a limit of %d: pages of %s', async (returnAll, limit, size) => {
	await run(service, parameters({ returnAll, limit, options: { pageSize: 100 } }));
	expect(onlyRequest(service).query.size).toBe(size);
});

describe('a filter that the service ignores, or takes for another', () => {
	beforeAll(() => {
		service.model.addCompletedUpload({
			engagementId: 1003,
			completedAt: service.model.now - 86_400_000,
		});
	});

	const DATES = ['createdDateFrom', 'createdDateTo', 'completedDateFrom', 'completedDateTo'];
	const IGNORED = ['uploadId', 'engagementId', 'externalEngagementId', ...DATES];

	beforeEach(() => {
		service.settings.ignoredFilters = IGNORED;
	});

	afterEach(() => (service.settings.ignoredFilters = []));

	type Upload = (typeof service.model.uploads.all)[number];
	const toTime = (epoch: number | null) => new Date(epoch ?? 0).toISOString();

	/** For each filter, its value for an upload, and the uploads that then match. */
	it.each<[string, (of: Upload) => IDataObject, (each: Upload, of: Upload) => boolean]>([
		[
			'Upload ID',
			({ uploadId }) => ({ uploadId: uploadId.toUpperCase() }),
			(each, { uploadId }) => each.uploadId === uploadId,
		],
		[
			'Engagement IDs',
			({ engagementId }) => ({ engagementIds: engagementId }),
			(each, { engagementId }) => each.engagementId === engagementId,
		],
		// A From includes its instant, a To excludes it. An upload without the date does not match.
		[
			'Created From',
			({ createdAt }) => ({ createdDateFrom: toTime(createdAt) }),
			(each, { createdAt }) => each.createdAt >= createdAt,
		],
		[
			'Created To',
			({ createdAt }) => ({ createdDateTo: toTime(createdAt) }),
			(each, { createdAt }) => each.createdAt < createdAt,
		],
		[
			'Completed From',
			({ completedAt }) => ({ completedDateFrom: toTime(completedAt) }),
			(each, of) => each.completedAt !== null && each.completedAt >= (of.completedAt ?? 0),
		],
		[
			'Completed To',
			({ completedAt }) => ({ completedDateTo: toTime(completedAt) }),
			(each, { completedAt }) => (each.completedAt ?? Infinity) < (completedAt ?? 0),
		],
	])('%s excludes what does not fit', async (_, toFilters, fits) => {
		const { all } = service.model.uploads;
		const completed = all.filter(({ completedAt }) => completedAt !== null);
		const upload = completed.toSorted((one, other) => one.createdAt - other.createdAt).at(-1);
		if (upload === undefined) throw new Error('The small world has no uploads');
		const filters = toFilters(upload);
		const output = await readOutput(service, parameters({ filters, returnAll: true }));
		const expected = all.filter((each) => fits(each, upload));
		expect(output.map(({ uploadId }) => uploadId).sort()).toEqual(
			expected.map(({ uploadId }) => uploadId).sort(),
		);
		expect(expected.length).toBeGreaterThan(0);
		expect(expected.length).toBeLessThan(all.length);
	});

	it('External Engagement IDs excludes other engagements', async () => {
		const externalId = service.model.engagements.all[0]?.externalEngagementId;
		const filters = { externalEngagementIds: externalId };
		const list = { resource: 'engagement', operation: 'getAll', filters, returnAll: true };
		const output = await readOutput(service, list);
		expect(output.map((each) => each.externalEngagementId)).toEqual([externalId]);
	});
});

describe('connector, status, outcome and external ID, which the node filters by itself', () => {
	/** What the service knows, by status; there is no completion date without `isDated`. */
	const shown = {
		ARCHIVED: { engagementId: 1001, connectorName: 'cloudbooks', isDated: true },
		DONE: { engagementId: 1002, connectorName: 'cloudbooks', isDated: false },
		LOADING: { engagementId: 1001, connectorName: 'cloudbooks', isDated: false },
		FAILED: { engagementId: 1003, connectorName: 'desk-ledger', isDated: true },
	};
	const { FAILED: _, ...ofCloudbooks } = shown;

	beforeAll(() => {
		const { model } = service;
		for (const { uploadId } of model.uploads.all) model.deleteUpload(uploadId);
		for (const [status, { isDated, ...upload }] of Object.entries(shown)) {
			const { uploadId, completedAt } = model.addCompletedUpload(upload);
			model.updateUpload(uploadId, { status, completedAt: isDated ? completedAt : null });
		}
	});

	it.each<[filters: IDataObject, statuses: string[], more?: IDataObject]>([
		[{ uploadStatuses: 'failed, aborted' }, ['FAILED']],
		[{ connectorNames: 'Cloudbooks; desk-ledger' }, Object.keys(shown)],
		[{ externalEngagementIds: 'CRM-1; none, CRM-2' }, Object.keys(ofCloudbooks)],
		// As Get Data Status judges them.
		[{ outcomes: ['completed'] }, ['ARCHIVED', 'DONE']],
		[{ outcomes: ['completed'] }, ['ARCHIVED'], { limit: 1 }],
		[{ outcomes: ['failed', 'unfinished'] }, ['LOADING', 'FAILED']],
		[{ outcomes: ['completed'], uploadStatuses: 'archived, failed' }, ['ARCHIVED']],
		[{ outcomes: ['unfinished'] }, ['LOADING'], { ...ofConnector, limit: 1 }],
	])('%j matches %j', async (filters, statuses, more = {}) => {
		const records = await readOutput(service, parameters({ ...more, filters }));
		expect(records.map(({ uploadStatus }) => uploadStatus)).toEqual(statuses);
		expect(service.requests.at(-1)?.query).toEqual({ page: '0', size: '500' });
	});

	it('a status may be called status, as in the list of last uploads', async () => {
		const body = { content: [{ uploadId: 'a', status: 'FAILED' }], last: true };
		service.fail({}, { kind: 'status', status: 200, body });
		const filters = { uploadStatuses: 'FAILED' };
		expect(await readOutput(service, parameters({ filters }))).toMatchObject([{ uploadId: 'a' }]);
	});
});

describe('the uploads of one engagement and connector', () => {
	it('name their engagement, even if the service does not', async () => {
		service.fail({}, { kind: 'status', status: 200, body: [{ uploadId: 'u1' }] });
		expect(await readOutput(service, parameters(ofConnector))).toMatchObject([
			{ engagementId: 1001 },
		]);
	});

	it('are not asked for by Engagement IDs, a filter that the editor then hides', async () => {
		const filters = { engagementIds: '1002' };
		const byExpression = { ...ofConnector, source: '={{ "connector" }}', filters };
		for (const given of [{ ...ofConnector, filters }, byExpression]) {
			await readOutput(service, parameters(given));
			expect(onlyRequest(service).query).not.toHaveProperty('engagementId');
		}
	});
});
