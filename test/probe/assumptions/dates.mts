/** Times in records and in filters (docs/service.md#dates). */
import { formatFilterTime, parseTime } from '../../../nodes/EngagementUploads/values/dates.ts';
import { isEmpty } from '../../../nodes/EngagementUploads/values/text.ts';
import type { Account } from '../account.mts';
import { finding, unknown, type Assumption, type Finding } from './assumption.mts';

const MINUTE = 60_000;
const HALF_HOUR = 30 * MINUTE;
/** In half hours: zones lie within 26 hours of each other. */
const FARTHEST = 54;

export const dates: Assumption[] = [
	{ name: 'date form', assumed: 'one that the nodes parse', check: checkForm },
	{ name: 'time zone', assumed: 'the credential’s', check: checkZone },
	{ name: 'date filters', assumed: 'lower and upper bounds', check: checkFilters },
	{ name: 'zone of filters', assumed: 'the credential’s', check: checkFilterZone },
];

async function checkForm(account: Account): Promise<Finding> {
	const uploads = await account.newestUploads();
	const { records: engagements } = await account.engagements();
	const all = [
		...uploads.flatMap(({ creationDate, completionDate }) => [creationDate, completionDate]),
		...engagements.map(({ createdAt }) => createdAt),
	].filter((date) => !isEmpty(date));
	if (all.length === 0) return unknown('there are no dates');
	const forms = new Set(all.map((date) => `${typeof date} ${String(date).replace(/\d/g, '9')}`));
	const unread = all.filter((date) => account.timeOf(date) === undefined).length;
	const means = unread === 0 ? 'all are parsed' : `${unread} of ${all.length} are not parsed`;
	return finding(unread === 0, [...forms].join(', '), means);
}

async function checkZone(account: Account): Promise<Finding> {
	const uploads = await account.newestUploads();
	const texts = uploads.flatMap(({ creationDate, completionDate }) => [
		creationDate,
		completionDate,
	]);
	const isLocal = texts.some((text) => parseTime(text, 'UTC') !== parseTime(text, 'Asia/Tokyo'));
	if (texts.length > 0 && !isLocal)
		return finding(true, 'all times have an offset', 'only filters use it');
	const { answer } = await account.uploads();
	const now = Date.parse(answer.headers.date ?? '');
	const newest = Math.max(0, ...texts.map((text) => account.timeOf(text) ?? 0));
	if (Number.isNaN(now) || newest === 0) return unknown('there is no `Date` header or no date');
	const minutes = Math.round((now - newest) / MINUTE);
	const side = minutes < 0 ? 'ahead of' : 'behind';
	const seen = `the newest time is ${Math.abs(minutes)} min ${side} the service’s clock`;
	if (minutes < -5) return finding(false, seen, 'choose a zone further east as Time Zone');
	return minutes < 30 ? finding(true, seen) : unknown(`${seen}; try again right after an upload`);
}

/** The newest completed upload, as far as known, with its times. */
async function sampleOf(account: Account) {
	const uploads = (await account.newestUploads()).flatMap(
		({ uploadId, creationDate, completionDate }) => {
			const [created, completed] = [creationDate, completionDate].map((date) =>
				account.timeOf(date),
			);
			if (!uploadId || created === undefined || completed === undefined) return [];
			return [{ uploadId, created, completed }];
		},
	);
	return uploads.sort((a, b) => b.completed - a.completed)[0];
}

/** Whether an upload passes a filter; asked for by its ID, so that the answer is small. */
async function passes(account: Account, uploadId: string, filter: string, time: number) {
	const bound = formatFilterTime(time, account.settings.credential.zone);
	const { records } = await account.uploads({ uploadId, [filter]: bound, page: 0, size: 2 });
	return records.some((record) => record.uploadId === uploadId);
}

async function checkFilters(account: Account): Promise<Finding> {
	const sample = await sampleOf(account);
	if (sample === undefined) return unknown('there is no completed upload');
	const far = FARTHEST * HALF_HOUR;
	const wrong: string[] = [];
	for (const [filter, time, inside] of [
		['createdDateFrom', sample.created, -far],
		['createdDateTo', sample.created, far],
		['completedDateFrom', sample.completed, -far],
		['completedDateTo', sample.completed, far],
	] as const) {
		if (!(await passes(account, sample.uploadId, filter, time + inside))) {
			wrong.push(`${filter} leaves out too much`);
		} else if (await passes(account, sample.uploadId, filter, time - inside)) {
			wrong.push(`${filter} is ignored`);
		}
	}
	if (wrong.length === 0) return finding(true, 'all four are honoured');
	return finding(false, wrong.join(', '), 'filter again after Upload > Get Many');
}

/** Moves the bound until the upload drops out; that is where the service sees its completion. */
async function checkFilterZone(account: Account): Promise<Finding> {
	const sample = await sampleOf(account);
	const { seen } = await checkFilters(account);
	if (sample === undefined || seen.includes('completedDateFrom'))
		return unknown('the filter is not honoured');
	let [inside, outside] = [-FARTHEST, FARTHEST];
	while (outside - inside > 1) {
		const middle = Math.floor((inside + outside) / 2);
		const time = sample.completed + middle * HALF_HOUR - MINUTE;
		if (await passes(account, sample.uploadId, 'completedDateFrom', time)) inside = middle;
		else outside = middle;
	}
	if (inside === 0) return finding(true, 'the credential’s');
	const way = inside > 0 ? 'ahead of' : 'behind';
	const means = 'filters of Get Many are off by that; the trigger allows for it';
	return finding(false, `${Math.abs(inside) / 2} h ${way} the Time Zone`, means);
}
