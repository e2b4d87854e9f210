/** Ten questions for the first day with a real account; each settles an assumption of docs/service.md. */
import { findRecords, isObject, PAGE_SIZE, Probe, timeOf, type Row } from './probe.mts';
import type { ProbeAccount } from './probe.mts';

/** What was seen, and whether it is as assumed: undefined if this account cannot tell. */
type Finding = [holds: boolean | undefined, seen: string];

interface Question {
	name: string;
	assumed: string;
	/** What follows if it does not hold. */
	otherwise: string;
	ask: (probe: Probe) => Promise<Finding>;
}

const HALF_HOUR = 30 * 60_000;
/** In half hours: two zones are at most 26 hours apart. */
const FARTHEST = 52;
const STATUSES = ['LOADING', 'PROCESSING', 'COMPLETED', 'FAILED', 'ABORTED'];
const NO_ENGAGEMENT = 999_999_999;

const hasDate = ({ completionDate }: Row) => !Number.isNaN(timeOf(completionDate));

/** The upload that completed last, as far as one page shows. */
async function newestCompleted(probe: Probe): Promise<Row & { time: number }> {
	const sorted = await probe.uploads({ orderBy: '-completionDate' });
	const all = sorted.length > 0 ? sorted : await probe.uploads();
	const completed = all.filter(hasDate).map((each) => ({
		...each,
		time: timeOf(each.completionDate),
	}));
	const [newest] = completed.sort((one, other) => other.time - one.time);
	if (newest === undefined) throw new Error('there is no completed upload');
	return newest;
}

/** Whether an upload passes a filter by its completion. */
async function passes(probe: Probe, { uploadId }: Row, filter: string, time: number) {
	const bound = new Date(time).toISOString().slice(0, 19);
	const found = await probe.uploads({ uploadId: String(uploadId), [filter]: bound, size: 2 });
	return found.some((record) => record.uploadId === uploadId);
}

const QUESTIONS: Question[] = [
	{
		name: 'Token',
		assumed: 'the token endpoint returns access_token and clientId',
		otherwise: 'Set Token Request Fields, or the Client ID, in the credential',
		ask: async (probe) => {
			const { status, body } = await probe.logIn();
			const names = isObject(body) ? Object.keys(body) : [];
			const holds = ['access_token', 'clientId'].every((name) => names.includes(name));
			return [holds, `${status} with ${names.join(', ')}`];
		},
	},
	{
		name: 'Form of lists',
		assumed: 'records under content, with last and totalPages',
		otherwise: 'Check that every record is read: other forms are known too',
		ask: async (probe) => {
			const { body } = await probe.get('/v1/clients/{clientId}/uploads', { page: 0, size: 2 });
			const { path } = findRecords(body);
			const names = isObject(body) ? Object.keys(body).filter((name) => name !== path) : [];
			const isPage = ['last', 'totalPages'].every((name) => names.includes(name));
			return [path === 'content' && isPage, `${path}, beside ${names.join(', ') || 'nothing'}`];
		},
	},
	{
		name: 'Page size',
		assumed: `pages of ${PAGE_SIZE} records`,
		otherwise: 'A poll takes more requests than docs/how-the-trigger-works.md says',
		ask: async (probe) => {
			const { length } = await probe.uploads();
			const isWhole = length === PAGE_SIZE;
			const next = isWhole ? [] : await probe.uploads({ page: 1 });
			return [isWhole || (next.length > 0 ? false : undefined), `${length} records`];
		},
	},
	{
		name: 'Order',
		assumed: 'orderBy=completionDate lists the oldest completion first',
		otherwise: 'Each poll reads its window to the end, and a backlog takes longer',
		ask: async (probe) => {
			const dated = (await probe.uploads({ orderBy: 'completionDate' })).filter(hasDate);
			const times = dated.map(({ completionDate }) => timeOf(completionDate));
			if (new Set(times).size < 2) return [undefined, 'too few completed uploads'];
			const sorted = times.toSorted((one, other) => one - other);
			return [times.join() === sorted.join(), `${times.length} dated uploads`];
		},
	},
	{
		name: 'Time zone',
		assumed: 'times carry an offset, or are in UTC',
		otherwise: 'Set Time Zone in the credential accordingly',
		ask: async (probe) => {
			const { completionDate, time } = await newestCompleted(probe);
			const { date } = await probe.get('/v1/clients/{clientId}/uploads', { size: 1 });
			const minutes = Math.round((Date.parse(String(date)) - time) / 60_000);
			const form = String(completionDate).replace(/\d/g, '9');
			const seen = `${form}, ${minutes} min before the service's clock`;
			if (minutes >= 0 && minutes < 30) return [true, seen];
			return [minutes < 0 ? false : undefined, `${seen} (ask right after an upload)`];
		},
	},
	{
		name: 'Date filters',
		assumed: 'completedDateFrom and completedDateTo are bounds, in the zone of the records',
		otherwise: 'The trigger allows for another zone; if they are ignored, it reads the whole list',
		ask: async (probe) => {
			const upload = await newestCompleted(probe);
			for (const [filter, way] of [
				['completedDateFrom', -1],
				['completedDateTo', 1],
			] as const) {
				const far = way * FARTHEST * HALF_HOUR;
				const isInside = await passes(probe, upload, filter, upload.time + far);
				if (!isInside) return [false, `${filter} leaves out too much`];
				const isOutside = !(await passes(probe, upload, filter, upload.time - far));
				if (!isOutside) return [false, `${filter} is ignored`];
			}
			let [low, high] = [-FARTHEST, FARTHEST];
			while (high - low > 1) {
				const middle = Math.floor((low + high) / 2);
				const bound = upload.time + middle * HALF_HOUR - 60_000;
				if (await passes(probe, upload, 'completedDateFrom', bound)) low = middle;
				else high = middle;
			}
			return [low === 0, `read ${low / 2} h ahead of the records`];
		},
	},
	{
		name: 'Filters by ID',
		assumed: 'engagementId takes several IDs, separated by commas',
		otherwise: 'Merged requests read more than they need',
		ask: async (probe) => {
			const known = (await probe.uploads()).map(({ engagementId }) => String(engagementId));
			const wanted = [...new Set(known)].slice(0, 2).sort();
			const found = await probe.uploads({ engagementId: wanted.join() });
			const ids = new Set(found.map(({ engagementId }) => String(engagementId)));
			return [[...ids].sort().join() === wanted.join(), `${ids.size} engagements for 2 IDs`];
		},
	},
	{
		name: 'Last upload',
		assumed: 'lastUploads has the newest upload, even if it failed, and skips unknown IDs',
		otherwise: 'Failures are seen in the upload list only, or merged requests are split',
		ask: async (probe) => {
			const uploads = await probe.uploads({ orderBy: '-creationDate' });
			const isNewest = ({ engagementId }: Row, at: number) =>
				uploads.findIndex((each) => each.engagementId === engagementId) === at;
			const newest = uploads.filter(isNewest).find((each) => !hasDate(each));
			if (newest === undefined) return [undefined, 'no recent upload failed'];
			const engagementIds = `${String(newest.engagementId)},${NO_ENGAGEMENT}`;
			const path = '/v1/clients/{clientId}/lastUploads';
			const { status, body } = await probe.get(path, { engagementIds });
			const ids = findRecords(body).records.map(({ uploadId }) => uploadId);
			return [ids.includes(newest.uploadId), `${status}, ${ids.length} uploads`];
		},
	},
	{
		name: 'Statuses',
		assumed: `${STATUSES.join(', ')}; only COMPLETED has a date`,
		otherwise: 'Add the status to those that mean completed or failed, if it does',
		ask: async (probe) => {
			const seen = new Set(
				(await probe.uploads()).map((each) => [each.uploadStatus, hasDate(each)].join(' dated: ')),
			);
			const known = STATUSES.map((each) => `${each} dated: ${each === 'COMPLETED'}`);
			return [[...seen].every((each) => known.includes(each)), [...seen].join(', ')];
		},
	},
	{
		name: 'Refusals',
		assumed: '401 for a wrong key or token, 404 for an unknown engagement',
		otherwise: 'Compare the messages with what docs/failures.md says',
		ask: async (probe) => {
			const users = '/v1/clients/{clientId}/users';
			const answers = [
				await probe.get(users, {}, { 'Ocp-Apim-Subscription-Key': 'wrong' }),
				await probe.get(users, {}, { authorization: 'Bearer wrong' }),
				await probe.get(`/v1/engagements/${NO_ENGAGEMENT}/companyDetails`),
			];
			const statuses = answers.map(({ status }) => status).join();
			const said = answers.map(({ body }) => JSON.stringify(body).slice(0, 100));
			return [statuses === '401,401,404', `${statuses}: ${said.join(', ')}`];
		},
	},
];

/** Asks all questions, one after the other. @returns the report */
export async function askAll(account: ProbeAccount): Promise<string> {
	const probe = new Probe({ ...account });
	const lines: string[] = [];
	for (const { name, assumed, otherwise, ask } of QUESTIONS) {
		const [holds, seen] = await ask(probe).catch(
			(error: Error): Finding => [undefined, error.message],
		);
		const verdict = holds === undefined ? 'unknown' : holds ? 'as assumed' : 'DIFFERENT';
		lines.push(`${name}: ${verdict}`, `  assumed  ${assumed}`, `  seen     ${seen}`);
		if (holds === false) lines.push(`  so       ${otherwise}`);
	}
	return probe.redacted([...lines, `${probe.requests} requests`].join('\n'));
}
