/**
 * `npm run probe`: fourteen questions for the first day with a real account, each of which settles an
 * assumption of docs/service.md. It only reads, one request at a time, and shows no secret
 * (docs/service.md#checking-an-account).
 */
import { kinds } from '../../nodes/EngagementUploads/service/records.ts';
import { compareFields } from '../support/description.mts';

type Row = Record<string, unknown>;
type Query = Record<string, string | number>;
/** What was seen, and whether it is as assumed: undefined if this account cannot tell. */
type Finding = [holds: boolean | undefined, seen: string];

const PAGE_SIZE = 500;
const MINUTE = 60_000;
const STATUSES = ['LOADING', 'PROCESSING', 'COMPLETED', 'FAILED', 'ABORTED'];
const NO_ENGAGEMENT = 999_999_999;
const USERS = '/v1/clients/{clientId}/users';
const UPLOADS = '/v1/clients/{clientId}/uploads';

const setting = (name: string) => process.env[`PROBE_${name}`] ?? '';
const [baseUrl, subscriptionKey] = [setting('BASE_URL'), setting('SUBSCRIPTION_KEY')];
if (baseUrl === '' || subscriptionKey === '') {
	console.error('Set PROBE_BASE_URL and PROBE_SUBSCRIPTION_KEY (docs/service.md has the others)');
	process.exit(1);
}
const tokenUrl = setting('TOKEN_URL') || '/v1/oauth/token';
const tokenFields: Record<string, string> = JSON.parse(
	setting('TOKEN_FIELDS') || JSON.stringify({ grant_type: 'vapi_key', key: subscriptionKey }),
);
/** Come with the token, if they are not set. */
let [accessToken, clientId] = [setting('ACCESS_TOKEN'), setting('CLIENT_ID')];
let requests = 0;

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null;

async function send(url: string, init: RequestInit) {
	requests += 1;
	const response = await fetch(new URL(url, baseUrl), {
		...init,
		headers: { 'Ocp-Apim-Subscription-Key': subscriptionKey, ...init.headers },
		// A redirect could take the key and the token to another host.
		redirect: 'manual',
		signal: AbortSignal.timeout(MINUTE),
	});
	const { status, headers } = response;
	if (status === 429 || headers.has('retry-after')) {
		print(`The service limits requests (status ${status}). Try again later.`);
		process.exit(1);
	}
	const text = await response.text();
	const body: unknown = /^\s*[[{]/.test(text) ? JSON.parse(text) : text;
	return { status, body, date: headers.get('date') };
}

async function get(path: string, query: Query = {}, headers: Record<string, string> = {}) {
	const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
	return await send(`${path.replace('{clientId}', clientId)}?${search.join('&')}`, {
		headers: { authorization: `Bearer ${accessToken}`, ...headers },
	});
}

/** Where a response holds its records, and these. */
function findRecords(body: unknown, path = ''): { path: string; records: Row[] } {
	if (Array.isArray(body)) return { path: path || 'bare array', records: body };
	for (const [name, value] of isObject(body) ? Object.entries(body) : []) {
		if (name === 'sort' || !isObject(value)) continue;
		const found = findRecords(value, path === '' ? name : `${path}.${name}`);
		if (found.path !== '') return found;
	}
	return { path: '', records: [] };
}

async function uploads(query: Query = {}): Promise<Row[]> {
	return findRecords((await get(UPLOADS, { page: 0, size: PAGE_SIZE, ...query })).body).records;
}

/** Epoch milliseconds; a time without an offset counts as UTC, since only differences matter. */
function readTime({ completionDate }: Row): number {
	if (typeof completionDate === 'number') return completionDate;
	const text = String(completionDate).replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
	return Date.parse(/([zZ]|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`);
}

const hasDate = (upload: Row) => !Number.isNaN(readTime(upload));

/** The upload that completed last, as far as one page shows. */
async function newestCompleted(): Promise<Row> {
	const completed = (await uploads({ orderBy: '-completionDate' })).filter(hasDate);
	const [newest] = completed.sort((one, other) => readTime(other) - readTime(one));
	if (newest === undefined) throw new Error('there is no completed upload');
	return newest;
}

/** Prints without anything secret, which the service may quote. */
function print(text: string): void {
	const secrets = [subscriptionKey, accessToken, clientId, ...Object.values(tokenFields)];
	const hide = (shown: string, secret: string) => shown.replaceAll(secret, '***');
	console.log(secrets.filter(({ length }) => length > 10).reduce(hide, text));
}

/** Asks a question; docs/service.md says what follows if what is assumed does not hold. */
async function ask(name: string, assumed: string, find: () => Promise<Finding>): Promise<void> {
	const [holds, seen] = await find().catch((error: Error): Finding => [undefined, error.message]);
	const verdict = holds === undefined ? 'unknown' : holds ? 'as assumed' : 'DIFFERENT';
	print(`${name}: ${verdict}\n  assumed  ${assumed}\n  seen     ${seen}`);
}

await ask('Token', 'the token endpoint returns access_token and clientId', async () => {
	const request = { method: 'POST', body: new URLSearchParams(tokenFields) };
	const { status, body } = await send(tokenUrl, request);
	const fields = isObject(body) ? body : {};
	accessToken ||= String(fields.access_token ?? '');
	clientId ||= String(fields.clientId ?? '');
	const holds = 'access_token' in fields && 'clientId' in fields;
	return [holds, `${status} with ${Object.keys(fields).join(', ')}`];
});

await ask('Form of lists', 'records under content, with last and totalPages', async () => {
	const { body } = await get(UPLOADS, { page: 0, size: 2 });
	const { path } = findRecords(body);
	const names = Object.keys(isObject(body) ? body : {}).filter((name) => name !== path);
	const isPage = names.includes('last') && names.includes('totalPages');
	return [path === 'content' && isPage, `${path}, beside ${names.join(', ') || 'nothing'}`];
});

await ask('Page size', `pages of ${PAGE_SIZE} records`, async () => {
	const { length } = await uploads();
	const isLast = length < PAGE_SIZE && (await uploads({ page: 1 })).length === 0;
	return [isLast ? undefined : length === PAGE_SIZE, `${length} records`];
});

await ask('Order', 'orderBy=completionDate lists the oldest completion first', async () => {
	const times = (await uploads({ orderBy: 'completionDate' })).filter(hasDate).map(readTime);
	if (new Set(times).size < 2) return [undefined, 'too few completed uploads'];
	const sorted = times.toSorted((one, other) => one - other);
	return [times.join() === sorted.join(), `${times.length} dated uploads`];
});

await ask('Time zone', 'times carry an offset, or are in UTC', async () => {
	const newest = await newestCompleted();
	const { date } = await get(UPLOADS, { size: 1 });
	const minutes = Math.round((Date.parse(String(date)) - readTime(newest)) / MINUTE);
	const form = String(newest.completionDate).replace(/\d/g, '9');
	const seen = `${form}, ${minutes} min before the service's clock`;
	if (minutes < 30) return [minutes >= 0, seen];
	return [undefined, `${seen} (ask right after an upload)`];
});

await ask(
	'Date filters',
	'completedDateFrom and …To are bounds in the zone of records',
	async () => {
		const upload = await newestCompleted();
		const passes = async (filter: string, minutes: number) => {
			const bound = new Date(readTime(upload) + minutes * MINUTE).toISOString().slice(0, 19);
			const uploadId = String(upload.uploadId);
			return (await uploads({ uploadId, [filter]: bound })).length > 0;
		};
		const from = [await passes('completedDateFrom', -1), await passes('completedDateFrom', 1)];
		const to = [await passes('completedDateTo', -1), await passes('completedDateTo', 1)];
		const holds = from.join() === 'true,false' && to.join() === 'false,true';
		return [holds, `a minute before and after: from ${from.join()}, to ${to.join()}`];
	},
);

await ask('Filters by ID', 'engagementId takes several IDs, separated by commas', async () => {
	const idsIn = (rows: Row[]) => [...new Set(rows.map((each) => String(each.engagementId)))].sort();
	const wanted = idsIn(await uploads()).slice(0, 2);
	const found = idsIn(await uploads({ engagementId: wanted.join() }));
	return [found.join() === wanted.join(), `${found.length} engagements for ${wanted.length} IDs`];
});

await ask('Last upload', 'the newest one, even if it failed; unknown IDs are skipped', async () => {
	const all = await uploads({ orderBy: '-creationDate' });
	const isNewest = ({ engagementId }: Row, at: number) =>
		all.findIndex((each) => each.engagementId === engagementId) === at;
	const newest = all.filter(isNewest).find((each) => !hasDate(each));
	if (newest === undefined) return [undefined, 'no recent upload failed'];
	const engagementIds = `${String(newest.engagementId)},${NO_ENGAGEMENT}`;
	const { status, body } = await get('/v1/clients/{clientId}/lastUploads', { engagementIds });
	const ids = findRecords(body).records.map(({ uploadId }) => uploadId);
	return [ids.includes(newest.uploadId), `${status}, ${ids.length} uploads`];
});

await ask('Statuses', `${STATUSES.join(', ')}; only COMPLETED has a date`, async () => {
	const describe = (status: unknown, isDated: boolean) => `${status} dated: ${isDated}`;
	const seen = (await uploads()).map((each) => describe(each.uploadStatus, hasDate(each)));
	const known = STATUSES.map((each) => describe(each, each === 'COMPLETED'));
	return [seen.every((each) => known.includes(each)), [...new Set(seen)].join(', ')];
});

const LISTS = {
	engagement: 'engagements',
	upload: 'uploads',
	user: 'users',
	connector: 'connectors',
};
for (const [name, list] of Object.entries(LISTS))
	await ask(`Fields of ${list}`, 'those of docs/service.md, no more and no less', async () => {
		const { status, body } = await get(`/v1/clients/{clientId}/${list}`);
		const { records } = findRecords(body);
		if (status !== 200 || records.length === 0) return [undefined, `${status}, no records`];
		const departures = Object.entries(compareFields(records, kinds[name as keyof typeof LISTS]));
		const found = departures.filter(([, names]) => names.length > 0);
		const seen = found.map(([what, names]) => `${what}: ${names.join(', ')}`);
		return [found.length === 0, seen.join('; ') || `${records.length} records`];
	});

await ask('Refusals', '401 for a wrong key or token, 404 for an unknown engagement', async () => {
	const answers = [
		await get(USERS, {}, { 'Ocp-Apim-Subscription-Key': 'wrong' }),
		await get(USERS, {}, { authorization: 'Bearer wrong' }),
		await get(`/v1/engagements/${NO_ENGAGEMENT}/companyDetails`),
	];
	const seen = answers.map(({ status }) => status).join();
	const said = answers.map(({ body }) => JSON.stringify(body).slice(0, 100));
	return [seen === '401,401,404', `${seen}: ${said.join(', ')}`];
});

print(`${requests} requests`);
