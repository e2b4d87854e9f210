/** Questions about IDs and paths: whether what is found is what was asked for. */
import {
	CONNECTORS,
	ENGAGEMENTS,
	findRecords,
	LAST_UPLOADS,
	quote,
	recordsOf,
	type Account,
	type Row,
} from './account.mts';
import { newest, timeOf, type Question } from './question.mts';
import { readOutcome } from '../../nodes/EngagementUploads/service/uploadStatus.ts';

const NO_ENGAGEMENT = 999_999_999;
const NO_EXTERNAL_ID = 'probe-no-such-id';

const path: Question = {
	name: 'Both upload paths',
	assumed: 'the path of one engagement and connector lists its uploads, like the path of all',
	async find(account) {
		const upload = await newest(account, 'creationDate');
		if (upload === undefined) return [undefined, 'there is no upload'];
		const connector = encodeURIComponent(String(upload.connectorName));
		const own = `/v1/engagements/${String(upload.engagementId)}/connectors/${connector}/uploads`;
		const answer = await account.get(own, { page: 0, size: await account.pageSize() });
		const { records } = findRecords(answer.body);
		const isThere = records.some(({ uploadId }) => uploadId === upload.uploadId);
		const isOther = records.some(({ engagementId }) => engagementId !== upload.engagementId);
		const seen = `status ${answer.status}, ${records.length} uploads`;
		return [isThere && !isOther, seen, answer.status === 200 ? '' : quote(answer)];
	},
};

/** Two uploads whose external IDs differ. */
async function withExternalIds(account: Account): Promise<Row[]> {
	const isUsable = ({ externalEngagementId: id }: Row) =>
		typeof id === 'string' && /^[^,]+$/.test(id);
	const usable = (await account.manyUploads()).filter(isUsable);
	const byId = new Map(usable.map((each) => [String(each.externalEngagementId), each]));
	return [...byId.values()].slice(0, 2);
}

/** The engagements of those, found by external ID. */
const foundByExternalIds = (account: Account, uploads: Row[]) =>
	account.keep('external IDs', async () => {
		const ids = uploads.map((each) => each.externalEngagementId).join();
		const query = { externalEngagementId: ids, page: 0, size: await account.pageSize() };
		return recordsOf(await account.get(ENGAGEMENTS, query), 'engagements by external ID');
	});

const engagementId: Question = {
	name: 'Engagement ID',
	assumed: "Id of an engagement is the engagementId of the engagement's uploads",
	async find(account) {
		const uploads = await withExternalIds(account);
		const found = uploads.length > 0 ? await foundByExternalIds(account, uploads) : [];
		const pairs = uploads.flatMap((upload) =>
			found
				.filter((each) => each.externalEngagementId === upload.externalEngagementId)
				.map(({ Id }) => String(Id) === String(upload.engagementId)),
		);
		if (pairs.length === 0) return [undefined, 'no engagement was found by an external ID'];
		const same = pairs.filter((each) => each).length;
		return [same > 0, `the same for ${same} of ${pairs.length} engagements`];
	},
};

const externalIds: Question = {
	name: 'Filter by external ID',
	assumed: 'several IDs find exactly their engagements, an unknown one finds none',
	async find(account) {
		const uploads = await withExternalIds(account);
		if (uploads.length < 2) return [undefined, 'too few uploads have an external ID'];
		const wanted = uploads.map((each) => String(each.externalEngagementId).toLowerCase());
		const found = (await foundByExternalIds(account, uploads)).map((each) =>
			String(each.externalEngagementId).toLowerCase(),
		);
		const query = { externalEngagementId: NO_EXTERNAL_ID, page: 0, size: 2 };
		const none = recordsOf(await account.get(ENGAGEMENTS, query), 'an unknown external ID');
		const isExact =
			wanted.every((each) => found.includes(each)) && found.every((each) => wanted.includes(each));
		const seen = `${found.length} engagements for 2 IDs, ${none.length} for an unknown one`;
		return [isExact && none.length === 0, seen];
	},
};

const engagementFilter: Question = {
	name: 'Filter by engagement',
	assumed: 'engagementId takes several IDs, separated by commas',
	async find(account) {
		const idsIn = (rows: Row[]) => [...new Set(rows.map((each) => String(each.engagementId)))];
		const wanted = idsIn(await account.manyUploads()).slice(0, 2);
		if (wanted.length < 2) return [undefined, 'too few engagements have uploads'];
		const found = idsIn(await account.uploads({ engagementId: wanted.join() }));
		const holds = found.toSorted().join() === wanted.toSorted().join();
		return [holds, `uploads of ${found.length} engagements for ${wanted.length} IDs`];
	},
};

const uploadFilter: Question = {
	name: 'Filter by upload',
	assumed: 'uploadId finds this upload only',
	async find(account) {
		const [upload, other] = await account.manyUploads();
		if (upload === undefined || other === undefined) return [undefined, 'too few uploads'];
		const found = await account.uploads({ uploadId: String(upload.uploadId) });
		const holds = found.length === 1 && found[0]?.uploadId === upload.uploadId;
		return [holds, `${found.length} uploads for one ID`];
	},
};

const lastUpload: Question = {
	name: 'Last upload',
	assumed: 'the newest one, even if it failed',
	async find(account) {
		const created = (upload: Row) => timeOf(upload, 'creationDate') ?? 0;
		const failed = (await account.manyUploads()).filter(
			(each) => readOutcome(each, 'UTC') === 'failed',
		);
		const recent = failed.toSorted((one, other) => created(other) - created(one)).slice(0, 50);
		if (recent.length === 0) return [undefined, 'no upload seen has failed'];
		const ids = [...new Set(recent.map((each) => each.engagementId))];
		const query = { engagementIds: ids.join(), page: 0, size: 100 };
		const last = recordsOf(await account.get(LAST_UPLOADS, query), 'last uploads');
		const lastOf = (upload: Row) => last.find((each) => each.engagementId === upload.engagementId);
		// An engagement that has uploaded again since tells nothing.
		const isOlder = (upload: Row) => created(lastOf(upload) ?? {}) < created(upload);
		const same = recent.filter((each) => lastOf(each)?.uploadId === each.uploadId).length;
		const older = recent.filter(isOlder).length;
		const seen = `of ${recent.length} failed uploads, ${same} are last ones, ${older} are left out`;
		return [older > 0 ? false : same > 0 ? true : undefined, seen];
	},
};

const unknownId: Question = {
	name: 'Last upload of an unknown ID',
	assumed: 'unknown IDs are left out, and do not make the request fail',
	async find(account) {
		const [upload] = await account.manyUploads();
		if (upload === undefined) return [undefined, 'there is no upload'];
		const query = { engagementIds: `${String(upload.engagementId)},${NO_ENGAGEMENT}` };
		const answer = await account.get(LAST_UPLOADS, query);
		const { length } = findRecords(answer.body).records;
		const said = answer.status === 200 ? '' : quote(answer);
		return [length === 1, `status ${answer.status}, ${length} uploads`, said];
	},
};

const manyIds: Question = {
	name: '100 IDs',
	assumed: 'a request for last uploads takes 100 IDs',
	async find(account) {
		const { ids, answer } = await account.lastUploads();
		if (answer.status !== 200) return [false, `status ${answer.status}`, quote(answer)];
		const found = new Set(recordsOf(answer, 'last uploads').map((each) => each.engagementId));
		const completed = (await account.manyUploads()).filter((each) => timeOf(each) !== undefined);
		const due = new Set(completed.map((each) => each.engagementId));
		const missing = ids.filter((id) => due.has(id) && !found.has(id)).length;
		const seen = `${found.size} uploads for ${ids.length} IDs, ${missing} are missing`;
		return [missing > 0 ? false : ids.length < 100 ? undefined : true, seen];
	},
};

const connectors: Question = {
	name: 'Connectors',
	assumed:
		'connectorId of engagements is an id, connectorName of uploads a name of the connector list',
	async find(account) {
		const listed = await account.list(CONNECTORS);
		const values = (rows: Row[], field: string) => {
			const given = rows.map((each) => each[field]).filter((each) => each !== null);
			return [...new Set(given.filter((each) => each !== undefined).map(String))];
		};
		const ids = values(await account.list(ENGAGEMENTS), 'connectorId');
		const names = values(await account.manyUploads(), 'connectorName');
		const knownIn = (some: string[], field: string) =>
			some.filter((each) => values(listed, field).includes(each)).length;
		const [known, named, titled] = [
			knownIn(ids, 'id'),
			knownIn(names, 'name'),
			knownIn(names, 'title'),
		];
		const seen = `${known} of ${ids.length} connectorId, ${named} of ${names.length} connectorName (${titled} are titles)`;
		if (ids.length === 0 || names.length === 0) return [undefined, seen];
		return [known === ids.length && named === names.length, seen];
	},
};

export const questions: Question[] = [
	path,
	engagementId,
	externalIds,
	engagementFilter,
	uploadFilter,
	lastUpload,
	unknownId,
	manyIds,
	connectors,
];
