/** What the probe says of a service that departs from what is assumed, and what it never shows. */
import { SimulatedService } from '../support/service/http.mts';
import { defaultSettings, type Settings } from '../support/service/settings.mts';
import type { SimResponse } from '../support/service/request.mts';
import { probe } from './probe.mts';

type Json = Record<string, unknown>;

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 2, 1, 10, 15, 30);
const [DISABLED, FAILED, OPEN] = [1001, 1002, 1003];

const service = new SimulatedService({});
const { model, accessToken, clientId } = service;
const handle = service.handle.bind(service);

model.clock.set(NOW);
for (const id of ['11', '12']) model.addConnector({ id, name: `name-${id}`, title: `Title ${id}` });
for (let count = 0; count < 2; count++) model.addUser();
for (const id of [DISABLED, FAILED, OPEN, 1004])
	model.addEngagement({ id, externalEngagementId: `CRM-${id}`, name: `Ashby Farms ${id}` });
model.addSme({ ...model.engagements.existing(FAILED).owner, email: 'sme@example.com' });
for (let age = 30; age >= 2; age--) {
	const completedAt = NOW - age * MINUTE;
	model.addCompletedUpload({
		engagementId: 1001 + (age % 3),
		completedAt,
		createdAt: completedAt - 30_000,
	});
}
model.updateEngagement(DISABLED, { active: false, status: 'DISABLED' });
for (const [engagementId, status] of [
	[FAILED, 'FAILED'],
	[OPEN, 'PROCESSING'],
] as const)
	model.addUpload({ engagementId, status, createdAt: NOW - MINUTE, finishedSteps: 2 });

beforeAll(async () => await service.listen(0));
afterEach(() => {
	service.handle = handle;
	service.clearFaults();
	Object.assign(service.settings, defaultSettings());
});
afterAll(async () => await service.close());

type Departure = Partial<Settings> | (() => void);

const refuse = (path: string | RegExp) => service.fail({ path }, { kind: 'status', status: 404 });

/** Changes the records of the answers at a path. */
function change(path: RegExp, toOther: (record: Json) => Json): void {
	service.handle = (request) => {
		const { response } = handle(request) as { response: SimResponse };
		if (!path.test(request.path) || response.status !== 200) return { response };
		const { content, ...fields } = response.body as Json & { content?: Json[] };
		const body = content ? { ...fields, content: content.map(toOther) } : toOther(fields);
		return { response: { ...response, body } };
	};
}

/** Runs the probe, after a change to the service. */
async function run(departure: Departure = {}) {
	if (typeof departure === 'function') departure();
	else Object.assign(service.settings, departure);
	service.clearRequests();
	const { url: baseUrl, subscriptionKey, tokenRequestFields: tokenFields } = service;
	const account = { baseUrl, subscriptionKey, tokenFields, accessToken: '', clientId: '' };
	const printed: string[] = [];
	const print = (text: string) => printed.push(text);
	const isWhole = await probe({ ...account, tokenUrl: '/v1/oauth/token' }, print);
	const text = printed.join('\n');
	const named = (verdict: string) =>
		[...text.matchAll(new RegExp(`^${verdict}  (.+)`, 'gm'))].map(([, name]) => name);
	return { isWhole, text, different: named('DIFFERENT'), unknown: named('unknown') };
}

it('finds everything as assumed in a service that is, with few requests, one at a time', async () => {
	expect(await run()).toMatchObject({ isWhole: true, different: [], unknown: [] });
	expect(service.mostAtOnce).toBe(1);
	expect(service.requests.length).toBeLessThan(40);
});

it.each<[question: string, departure: Departure]>([
	['Time zone', { printZone: 'Asia/Tokyo', filterZone: 'Asia/Tokyo' }],
	['Created filters', { ignoredFilters: ['createdDateTo'] }],
	['Completed filters', { filterZone: 'America/New_York' }],
	[
		'Engagement ID',
		() => change(/clients.*\/engagements$/, (each) => ({ ...each, Id: Number(each.Id) + 7000 })),
	],
	['Last upload', () => change(/lastUploads$/, (each) => ({ ...each, uploadId: 'older' }))],
	['Connectors', () => change(/connectors$/, (each) => ({ ...each, name: each.title }))],
	['Statuses', () => change(/clients.*\/uploads$/, (each) => ({ ...each, uploadStatus: '4' }))],
	['People', () => change(/users$/, (each) => ({ ...each, userType: 'SME' }))],
	['Periods', () => change(/periods/, (each) => ({ ...each, startDate: 'January' }))],
	['Fields of user', () => change(/users$/, (each) => ({ ...each, phone: '020 7000 0000' }))],
])('says that %s is different', async (question, departure) => {
	const { different } = await run(departure);
	expect(different).toContain(question);
});

it.each<[why: string, Departure]>([
	['there is no token', () => refuse(service.tokenPath)],
	['the service limits requests', { rateLimit: { requests: 5, perMs: MINUTE } }],
])('stops if %s', async (why, departure) => {
	const { isWhole, text } = await run(departure);
	expect(isWhole).toBe(false);
	expect(text).toContain(`stopped  ${why}`);
});

it('shows neither secrets nor customers', async () => {
	const { subscriptionKey, tokenRequestFields } = service;
	change(/users$/, (each) => ({ ...each, title: `${subscriptionKey} ${accessToken}` }));
	const { text } = await run();
	const { owner, contact, name } = model.engagements.existing(FAILED);
	const people = [
		owner.email,
		contact?.email,
		owner.lastName,
		contact?.lastName,
		'sme@example.com',
	];
	const ids = model.uploads.all.map(({ uploadId }) => uploadId);
	const secrets = [accessToken, clientId, subscriptionKey, tokenRequestFields.key];
	const hidden = [...secrets, ...people, name, `CRM-${FAILED}`, ...ids].map(String);
	expect(hidden.filter((each) => text.includes(each))).toEqual([]);
});
