/** What lists of engagements and uploads hold (docs/service.md#endpoints). */
import * as endpoints from '../../../nodes/EngagementUploads/service/endpoints.ts';
import type { Upload } from '../../../nodes/EngagementUploads/service/records.ts';
import { isFailedStatus } from '../../../nodes/EngagementUploads/service/uploadStatus.ts';
import { isEmpty } from '../../../nodes/EngagementUploads/values/text.ts';
import { FIRST_PAGE, NO_ENGAGEMENT, type Account } from '../account.mts';
import { finding, unknown, type Assumption, type Finding } from './assumption.mts';

const STATUSES = ['LOADING', 'PROCESSING', 'COMPLETED', 'FAILED', 'ABORTED'];
/** Few enough for all of their uploads to fit on one page. */
const CANDIDATES = 5;

export const records: Assumption[] = [
	{ name: 'statuses', assumed: STATUSES.join(', '), check: checkStatuses },
	{ name: 'filters by ID', assumed: 'honoured, with lists of IDs', check: checkFilters },
	{ name: 'last upload', assumed: 'the last one, whatever its status', check: checkLastUpload },
	{ name: 'last uploads', assumed: '100 IDs a request, unknown ones left out', check: checkMany },
];

const statusOf = (upload: Upload) => String(upload.uploadStatus ?? upload.status);
const hasFailed = (upload: Upload) => isFailedStatus(statusOf(upload));
const engagementOf = ({ engagementId }: Upload) => String(engagementId);
const distinct = (values: string[]) => [...new Set(values)];

async function checkStatuses(account: Account): Promise<Finding> {
	const uploads = [...(await account.newestUploads()), ...(await account.uploads()).records];
	if (uploads.length === 0) return unknown('there are no uploads');
	const entries = uploads.map((each) =>
		isEmpty(each.completionDate) ? `${statusOf(each)} without date` : statusOf(each),
	);
	const failed = distinct(uploads.filter(hasFailed).map(statusOf)).join(', ') || 'none';
	const areKnown = uploads.every((each) => STATUSES.includes(statusOf(each)));
	return finding(areKnown, distinct(entries).join(', '), `treated as failed: ${failed}`);
}

async function checkFilters(account: Account): Promise<Finding> {
	const { records: uploads } = await account.uploads();
	const { records: engagements } = await account.engagements();
	const externalId = engagements
		.map((each) => each.externalEngagementId)
		.find((id) => !isEmpty(id));
	const ids = distinct(uploads.map(engagementOf)).slice(0, 2);
	const uploadId = uploads[0]?.uploadId;
	if (!uploadId || ids.length < 2 || !externalId) return unknown('there are too few records');
	const one = await account.uploads({ ...FIRST_PAGE, uploadId });
	const two = await account.uploads({ ...FIRST_PAGE, engagementId: ids.join() });
	const own = await account.engagements({ ...FIRST_PAGE, externalEngagementId: externalId });
	const found = distinct(two.records.map(engagementOf)).sort().join();
	const wrong = [
		...(one.records.length === 1 ? [] : ['uploadId']),
		...(found === ids.sort().join() ? [] : ['engagementId']),
		...(own.records.length === 1 ? [] : ['externalEngagementId']),
	];
	if (wrong.length === 0) return finding(true, 'all three are honoured');
	return finding(false, `not honoured: ${wrong.join(', ')}`, 'choose engagements by their own ID');
}

/** Looks for engagements whose newest upload failed after an earlier one had not. */
async function checkLastUpload(account: Account): Promise<Finding> {
	const known = [...(await account.newestUploads()), ...(await account.uploads()).records];
	const ids = newestOfEach(account, known)
		.filter((newest) => hasFailed(newest) && known.some((each) => isEarlierSuccess(each, newest)))
		.map(engagementOf)
		.slice(0, CANDIDATES);
	if (ids.length === 0) return unknown('no upload failed after a successful one');
	// What is known may not be the newest.
	const { records } = await account.uploads({ ...FIRST_PAGE, engagementId: ids.join() });
	const failed = newestOfEach(account, records).filter(hasFailed);
	if (failed.length === 0) return unknown('no upload failed after a successful one');
	const last = await account.list(endpoints.listLastUploads(ids));
	const lastIds = last.records.map(({ uploadId }) => uploadId);
	return failed.every(({ uploadId }) => lastIds.includes(uploadId))
		? finding(true, 'the last one, although it failed', 'a failure is seen at once')
		: finding(false, 'the last successful one', 'failures show only in the upload list');
}

function newestOfEach(account: Account, uploads: Upload[]): Upload[] {
	const created = (upload: Upload) => account.timeOf(upload.creationDate) ?? 0;
	const oldestFirst = uploads.toSorted((a, b) => created(a) - created(b));
	return [...new Map(oldestFirst.map((upload) => [engagementOf(upload), upload])).values()];
}

function isEarlierSuccess(upload: Upload, failed: Upload): boolean {
	return engagementOf(upload) === engagementOf(failed) && !hasFailed(upload);
}

async function checkMany(account: Account): Promise<Finding> {
	const { records: engagements } = await account.engagements();
	const known = engagements.map((each) => String(each.Id ?? each.id ?? each.engagementId));
	const ids = [...known.slice(0, endpoints.MAX_ENGAGEMENT_IDS - 1), String(NO_ENGAGEMENT)];
	const { why, records: found } = await account.list(endpoints.listLastUploads(ids, FIRST_PAGE));
	if (why !== undefined) return finding(false, why, 'the request is split until it passes');
	const hollow = found.filter(({ uploadId }) => isEmpty(uploadId)).length;
	return finding(true, `${found.length} of ${ids.length} found, ${hollow} without upload`);
}
