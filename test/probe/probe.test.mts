import { startService, type SimulatedService } from '../support/service/http.mts';
import type { Settings } from '../support/service/settings.mts';
import { askAll } from './questions.mts';

let service: SimulatedService;

afterEach(async () => await service.close());

/** Asks a service with sample data, whose newest uploads completed just now, or failed. */
async function probe(settings: Partial<Settings> = {}): Promise<string> {
	service = await startService({ sample: true, settings });
	const { model, url, subscriptionKey, tokenRequestFields } = service;
	const [one, other] = model.engagements.all.map(({ id }) => id);
	const { uploadId } = model.addCompletedUpload({ engagementId: one });
	model.updateUpload(uploadId, { status: 'FAILED', completedAt: null });
	model.addCompletedUpload({ engagementId: other });
	// It quotes the key that it rejects.
	const body = { message: `Not ${subscriptionKey}` };
	service.fail({ path: /users$/ }, { kind: 'status', status: 401, body });
	return await askAll({
		...{ baseUrl: url, subscriptionKey, tokenUrl: '/v1/oauth/token' },
		...{ tokenFields: tokenRequestFields, accessToken: '', clientId: '' },
	});
}

const verdicts = (report: string) =>
	Object.fromEntries(
		[...report.matchAll(/^(\w[\w ]+): (.+)$/gm)].map(([, name, is]) => [name, is]),
	);

it('finds a service as assumed, with few requests that change nothing and show no secret', async () => {
	const report = await probe();
	expect(new Set(Object.values(verdicts(report)))).toEqual(new Set(['as assumed']));
	expect(Object.keys(verdicts(report))).toHaveLength(10);
	const [{ method, path } = {}, ...others] = service.requests;
	expect([method, path]).toEqual(['POST', '/v1/oauth/token']);
	expect(others.filter((request) => request.method !== 'GET')).toEqual([]);
	expect(others.length).toBeLessThan(40);
	expect(service.mostAtOnce).toBe(1);
	for (const secret of [service.subscriptionKey, service.tokenRequestFields.key])
		expect(report).not.toContain(secret);
});

it('says what is different', async () => {
	const report = await probe({
		wrapper: 'data',
		maxPageSize: 100,
		honourOrderBy: false,
		unsortedDefault: 'newestFirst',
		printZone: 'Asia/Tokyo',
		filterZone: 'UTC',
		honourEngagementFilter: false,
		lastUploadsOf: 'completed',
	});
	const different = Object.entries(verdicts(report)).filter(([, is]) => is === 'DIFFERENT');
	expect(different.map(([name]) => name)).toEqual([
		'Form of lists',
		'Page size',
		'Order',
		'Time zone',
		'Date filters',
		'Filters by ID',
		'Last upload',
	]);
	expect(report).toContain('read -9 h ahead of the records');
});

it('stops at a rate limit', async () => {
	const report = await probe({ rateLimit: { requests: 5, perMs: 3_600_000 } });
	expect(Object.values(verdicts(report)).slice(-4)).toEqual(Array(4).fill('unknown'));
});
