/** What the probe says of a service that departs from what is assumed, and what it never shows. */
import type { Fault } from '../support/service/faults.mts';
import type { SimRequest, SimResponse } from '../support/service/request.mts';
import { SimulatedService } from '../support/service/http.mts';
import { defaultSettings, type Settings } from '../support/service/settings.mts';
import { probe, questions } from './probe.mts';

type Json = Record<string, unknown>;
/** Changes the service's answer to a request. */
type Change = (request: SimRequest, response: SimResponse) => SimResponse | undefined;

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 2, 1, 10, 15, 30);
const ENGAGEMENTS = 110;
const [DISABLED, FAILED, OPEN, EMPTY] = [1001, 1002, 1003, 1004];

const service = new SimulatedService({});
const { model, accessToken, clientId } = service;
const handle = service.handle.bind(service);

model.clock.set(NOW);
model.addConnector({ id: '11', name: 'fernbooks', title: 'Fernbooks Online' });
model.addConnector({ id: '12', name: 'oakline', title: 'Oakline Desktop', type: '1' });
model.addUser();
model.addUser({ statusCode: 'DISABLED', status: 2 });
for (let id = 1001; id <= 1000 + ENGAGEMENTS; id += 1)
	model.addEngagement({ id, externalEngagementId: `CRM-${id}`, name: `Ashby Farms ${id}` });
const sme = model.addSme({ ...model.engagements.existing(FAILED).owner, email: 'sme@example.com' });
for (let age = 520; age >= 2; age -= 1) {
	const engagementId = 1001 + (age % ENGAGEMENTS);
	if (engagementId === EMPTY) continue;
	const completedAt = NOW - age * MINUTE;
	model.addCompletedUpload({ engagementId, completedAt, createdAt: completedAt - MINUTE / 2 });
}
model.updateEngagement(DISABLED, { active: false, status: 'DISABLED' });
const lately = { createdAt: NOW - MINUTE, finishedSteps: 2 };
model.addUpload({ ...lately, engagementId: FAILED, status: 'FAILED' });
model.addUpload({ ...lately, engagementId: OPEN, status: 'PROCESSING' });

beforeAll(async () => await service.listen(0));
afterEach(() => {
	service.handle = handle;
	service.clearFaults();
	service.clearRequests();
	Object.assign(service.settings, defaultSettings());
});
afterAll(async () => await service.close());

function alter(...changes: Change[]): void {
	service.handle = (request) => {
		const { response } = handle(request);
		if (response === undefined) return {};
		const changed = (given: SimResponse, change: Change) => change(request, given) ?? given;
		return { response: changes.reduce(changed, response) };
	};
}

const refused = (status: number, message = 'No'): SimResponse => ({
	status,
	headers: { 'content-type': 'application/json' },
	body: { message },
});

/** Other records in the lists at a path. */
const records =
	(path: RegExp, change: (record: Json) => Json): Change =>
	({ path: asked }, response) => {
		const { body, status } = response;
		if (!path.test(asked) || status !== 200) return undefined;
		const { content, ...others } = body as Json & { content?: Json[] };
		if (content === undefined) return { ...response, body: change(others) };
		return { ...response, body: { ...others, content: content.map(change) } };
	};

const [UPLOADS, LAST_UPLOADS, USERS] = [/\/uploads$/, /\/lastUploads$/, /\/users$/];
const LISTED = /clients\/[^/]*\/engagements$/;
const [CONNECTORS, STEPS] = [/\/connectors$/, /\/workflows\//];

const ownerOf = ({ Owner }: Json) => (typeof Owner === 'object' ? Owner : {});

async function run(given: Partial<Settings> = {}, asked = questions) {
	Object.assign(service.settings, given);
	const { url: baseUrl, subscriptionKey, tokenRequestFields: tokenFields } = service;
	const account = { baseUrl, subscriptionKey, tokenFields, accessToken: '', clientId: '' };
	const printed: string[] = [];
	const print = (text: string) => printed.push(text);
	const isWhole = await probe({ ...account, tokenUrl: '/v1/oauth/token' }, print, asked);
	const text = printed.join('\n');
	const summary = text.slice(text.indexOf('Summary'));
	const named = (verdict: string) =>
		[...summary.matchAll(new RegExp(`^${verdict} +(.+?): `, 'gm'))].map(([, name]) => name);
	return { isWhole, text, summary, different: named('DIFFERENT'), unknown: named('unknown') };
}

it('finds everything as assumed in a service that is as assumed', async () => {
	const { isWhole, different, unknown } = await run();
	expect({ isWhole, different, unknown }).toEqual({ isWhole: true, different: [], unknown: [] });
	expect(service.mostAtOnce).toBe(1);
	expect(service.requests.length).toBeLessThan(50);
});

/** The settings or answers that depart. */
type Departure = Partial<Settings> | Change;

/** By question; those that are not alike. */
const DEPARTURES: Array<[question: string, ...Departure[]]> = [
	['Token', { tokenCarriesClientId: false }],
	['Refusals', ({ path }) => (path.endsWith('companyDetails') ? refused(403) : undefined)],
	['Form of lists', { pageFields: 'nestedPage' }, { pageFields: 'none' }],
	['Page size', { rejectSizeAbove: 200 }, { maxPageSize: 200 }],
	['Order', { rejectOrderBy: 400 }, { honourOrderBy: false, unsortedDefault: 'shuffled' }],
	[
		'Whole list of users',
		({ path, query }, given) =>
			USERS.test(path) && query.size === '1'
				? { ...refused(200), body: { content: [model.users[0]] } }
				: given,
	],
	['Time zone', { printZone: 'Asia/Tokyo' }],
	['Created filters', { toMeansFrom: true }],
	[
		'Completed filters',
		{ ignoredFilters: ['completedDateFrom'] },
		{ filterZone: 'America/New_York' },
	],
	['Both upload paths', ({ path }) => (/s\/\d+.*\/uploads$/.test(path) ? refused(404) : undefined)],
	['Engagement ID', records(LISTED, (each) => ({ ...each, Id: Number(each.Id) + 7000 }))],
	['Filter by external ID', { ignoredFilters: ['externalEngagementId'] }],
	['Filter by engagement', { ignoredFilters: ['engagementId'] }],
	['Filter by upload', { ignoredFilters: ['uploadId'] }],
	['Last upload', { lastUploadsOf: 'completed' }],
	[
		'Last upload of an unknown ID',
		({ query }) => (query.engagementIds?.endsWith('999') ? refused(404) : undefined),
	],
	['100 IDs', ({ query }) => (query.engagementIds?.split(',')[60] ? refused(400) : undefined)],
	['Connectors', records(CONNECTORS, (each) => ({ ...each, name: each.title }))],
	[
		'Statuses',
		records(UPLOADS, (each) => ({ ...each, uploadStatus: '4' })),
		records(UPLOADS, (each) => ({ ...each, completionDate: each.creationDate })),
	],
	[
		'Disabled engagements',
		records(UPLOADS, (each) => ({ ...each, active: String(each.creationDate) < '2026-03-01T08' })),
	],
	[
		'Owners',
		records(LISTED, (each) => ({ ...each, Owner: { ...ownerOf(each), email: sme.email } })),
	],
	['Relationship managers', records(LISTED, (each) => ({ ...each, relationshipManager: 'North' }))],
	['Types of users', records(USERS, (each) => ({ ...each, userType: 'STAFF' }))],
	['Path of steps', { workflowIds: 'integer' }],
	['Current step', { startsAllSteps: true }],
	['Periods', { yearsAmongPeriods: true }, { periodsOf: 'all' }],
	['Company before an upload', { withoutCompany: 'nulls' }, { withoutCompany: 204 }],
	['Fields of engagement', records(LISTED, ({ dataRefreshEnabled, ...others }) => others)],
	['Fields of upload', records(UPLOADS, (each) => ({ ...each, region: 'North' }))],
	['Fields of lastUpload', records(LAST_UPLOADS, ({ withMemo, ...others }) => others)],
	['Fields of user', records(USERS, (each) => ({ ...each, phone: '020 7000 0000' }))],
	['Fields of connector', records(CONNECTORS, (each) => ({ ...each, type: Number(each.type) }))],
	['Fields of company', records(/companyDetails$/, ({ currencyIso, ...others }) => others)],
	['Fields of period', records(/periods\/$/, ({ periodNo, ...others }) => others)],
	['Fields of workflow', records(STEPS, ({ lastUpdate, ...others }) => others)],
];

/** Makes the service depart, by all answers and settings together. */
function depart(departures: Departure[]): Partial<Settings> {
	alter(...departures.filter((each) => typeof each === 'function'));
	return Object.assign({}, ...departures.filter((each) => typeof each !== 'function'));
}

const cases = DEPARTURES.flatMap(([name, ...each]) =>
	each.map((departure) => ({ name, departure })),
);

it.each(cases)('says that $name is different ($#)', async ({ name, departure }) => {
	const asked = questions.filter((each) => each.name === name || each.name === 'Token');
	expect(await run(depart([departure]), asked)).toMatchObject({ different: [name], unknown: [] });
});

it('has a departure for each question, or a question like it', () => {
	const tested = DEPARTURES.map(([name]) => name);
	const alike = ['Whole list of connectors', 'Whole list of periods'];
	expect([...tested, ...alike].toSorted()).toEqual(questions.map(({ name }) => name).toSorted());
});

it('names ten departures at once, and no others', async () => {
	const names = [
		'Page size',
		'Both upload paths',
		'Filter by engagement',
		'Filter by upload',
		'Last upload',
		'Path of steps',
		'Periods',
		'Company before an upload',
		'Fields of user',
		'Owners',
	];
	const departures = cases.filter(({ name }) => names.includes(name)).map((each) => each.departure);
	const ignored = { ignoredFilters: ['engagementId', 'uploadId'] };
	const { different, unknown } = await run(depart([...departures, ignored]));
	expect(different).toEqual(names);
	expect(unknown).toEqual(['Current step', 'Fields of workflow']);
});

it.each<[Fault, said: string]>([
	[{ kind: 'status', status: 404 }, 'upload list: status 404'],
	[{ kind: 'html' }, 'no list'],
])('knows nothing of uploads if the answer is %j', async (fault, said) => {
	service.fail({ path: UPLOADS }, fault, { times: Infinity });
	const { different, unknown, summary } = await run();
	expect(different).toEqual([]);
	const known = ['Token', 'Refusals', 'Owners', 'Relationship managers', 'Types of users'];
	const lists = ['Whole list of users', 'Whole list of connectors'];
	const fields = ['engagement', 'user', 'connector'].map((name) => `Fields of ${name}`);
	const rest = questions.filter(({ name }) => ![...known, ...lists, ...fields].includes(name));
	expect(unknown).toEqual(rest.map(({ name }) => name));
	expect(summary).toContain(said);
});

it('stops at the first question if there is no token', async () => {
	const { isWhole, text } = await run({ tokenPath: '/v1/elsewhere' });
	expect(isWhole).toBe(false);
	expect(text).toContain('stopped     there is no token; ');
	expect(service.requests).toHaveLength(1);
});

it('stops if the service limits requests', async () => {
	service.fail({ path: LISTED }, { kind: 'status', status: 429 });
	const { isWhole, different, summary } = await run();
	expect({ isWhole, different }).toEqual({ isWhole: false, different: [] });
	expect(summary).toContain('(status 429); try again later; ');
});

it('shows neither secrets nor customers', async () => {
	const { subscriptionKey, tokenRequestFields } = service;
	const secrets = [accessToken, clientId, subscriptionKey, tokenRequestFields.key];
	const echo = `${clientId} ${subscriptionKey} ${sme.email}`;
	alter(({ path }) => (STEPS.test(path) ? refused(404, echo) : undefined));
	const { text } = await run();
	const { owner, contact, name } = model.engagements.existing(FAILED);
	const people = [owner.email, contact?.email, owner.lastName, contact?.lastName, sme.email];
	const ids = [...model.uploads.all].map(({ uploadId }) => uploadId);
	const hidden = [...secrets, ...people, name, `CRM-${FAILED}`, ...ids].map(String);
	expect(hidden.filter((each) => text.includes(each))).toEqual([]);
});
