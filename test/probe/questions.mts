/**
 * The questions whose answers would change something: each one is a row of docs/service.md#assumptions. An
 * answer says whether it is as assumed (undefined: this account cannot tell), and what was seen, which names
 * no customer.
 */
import type { IDataObject } from 'n8n-workflow';
import { kinds, type KindName } from '../../nodes/EngagementUploads/service/records.ts';
import {
	readOutcome,
	readStatus,
	saysCompleted,
	unclearStatus,
} from '../../nodes/EngagementUploads/service/uploadStatus.ts';
import { readPage } from '../../nodes/EngagementUploads/transport/responses.ts';
import { groupBy, isObject } from '../../nodes/EngagementUploads/values/objects.ts';
import { isAbsent } from '../../nodes/EngagementUploads/values/text.ts';
import { compareFields } from './description.mts';
import { quote, some, Stop, timeOf, type Account } from './account.mts';

type Finding = [holds: boolean | undefined, seen: string];

interface Question {
	assumed: string;
	find: (account: Account) => Promise<Finding>;
}

const MINUTE = 60_000;

const textOf = (value: unknown) => String(value).trim().toLowerCase();
/** Words of the service, with how often they occur; only their number if there are many, which may be names. */
function words(values: unknown[]): string {
	const counts = [...groupBy(values, String)].map(([word, each]) => `${word} (${each.length})`);
	return counts.length > 12 ? `${counts.length} different values` : counts.join(', ') || 'none';
}

/** A list without page fields: what it does if it is asked for pages. */
const whole = (path: (account: Account) => Promise<string>, kind: KindName): Question => ({
	assumed: 'the list is whole, or says that there are more pages',
	async find(account) {
		const own = await path(account);
		const { length } = await account.list(kind, own);
		const { status, body } = await account.get(own, { page: 0, size: 1 });
		const few = status === 200 ? readPage(body, kinds[kind]).records.length : length;
		const seen = `${length} records, with size=1 ${few} (status ${status})`;
		if (length < 2) return [undefined, seen];
		if (few === 1) return [/"(last|totalPages)"/.test(JSON.stringify(body)), seen];
		// What happens to be the size of a page may be one.
		return [length % 50 === 0 ? undefined : true, seen];
	},
});

/** Bounds a minute before and after a date. */
const bounds = (filter: string, field: string): Question => ({
	assumed: `${filter}From and ${filter}To are bounds in the zone of records`,
	async find(account) {
		const upload = some(await account.uploads(), (each) => timeOf(each, field) > 0, 'such date');
		const found = [];
		for (const [side, minutes] of [
			['From', -1],
			['From', 1],
			['To', -1],
			['To', 1],
		] as const) {
			const bound = new Date(timeOf(upload, field) + minutes * MINUTE).toISOString().slice(0, 19);
			const query = {
				uploadId: String(upload.uploadId),
				[filter + side]: bound,
				page: 0,
				size: 100,
			};
			const ids = (await account.list('upload', 'uploads', query)).map(({ uploadId }) => uploadId);
			found.push(ids.includes(upload.uploadId));
		}
		const seen = `From a minute before, after; To a minute before, after: ${found.join(', ')}`;
		return [found.join() === 'true,false,false,true', seen];
	},
});

const fieldsOf = (
	kind: KindName,
	records: (account: Account) => Promise<IDataObject[]>,
): Question => ({
	assumed: 'those of the table in docs/service.md, no more and no less',
	async find(account) {
		const all = await records(account);
		// The documentation has one more field of users, whose name it garbles.
		const { unknown, missing, otherType } = compareFields(all, kinds[kind]);
		const more = kind === 'user' && unknown.length === 1 ? [] : unknown;
		const seen = `${all.length} records; more: ${more.join()}; missing: ${missing.join()}; of another type: ${otherType.join()}`;
		if (all.length === 0) return [undefined, seen];
		return [[...more, ...missing, ...otherType].length === 0, seen];
	},
});

/** How records of each kind are read. */
const readers: Partial<Record<KindName, (account: Account) => Promise<IDataObject[]>>> = {
	engagement: async (account) => await account.engagements(),
	upload: async (account) => await account.uploads(),
	lastUpload: async (account) => {
		const { engagementId } = await account.completed();
		return await account.list('lastUpload', 'lastUploads', { engagementIds: String(engagementId) });
	},
	user: async (account) => await account.list('user', 'users'),
	connector: async (account) => await account.list('connector', 'connectors'),
	period: async (account) => await account.list('period', await account.ofEngagement('periods/')),
	company: async (account) => [await account.record(await account.ofEngagement('companyDetails'))],
	workflow: async (account) => [await account.record(await account.pathOfSteps())],
};

export const questions: Record<string, Question> = {
	Token: {
		assumed: 'the token endpoint returns access_token and clientId',
		async find(account) {
			const { settings } = account;
			const body = new URLSearchParams(settings.tokenFields);
			const answer = await account.send(settings.tokenUrl, { method: 'POST', body });
			const fields = isObject(answer.body) ? answer.body : {};
			settings.accessToken ||= String(fields.access_token ?? '');
			settings.clientId ||= String(fields.clientId ?? '');
			if (settings.accessToken === '') throw new Stop(`there is no token (${quote(answer)})`);
			const names = Object.keys(fields).join(', ') || 'no fields';
			return [
				'access_token' in fields && 'clientId' in fields,
				`status ${answer.status}, ${names}`,
			];
		},
	},
	'Whole list of users': whole(async () => 'users', 'user'),
	'Whole list of connectors': whole(async () => 'connectors', 'connector'),
	'Whole list of periods': whole(
		async (account) => await account.ofEngagement('periods/'),
		'period',
	),
	'Time zone': {
		assumed: 'times carry an offset, or are in UTC',
		async find(account) {
			const times = (await account.uploads()).map((each) => timeOf(each, 'completionDate'));
			const { date } = await account.get('uploads', { page: 0, size: 2 });
			const minutes = Math.round((Date.parse(String(date)) - Math.max(...times)) / MINUTE);
			const seen = `the newest completed ${minutes} minutes before the service's clock`;
			if (minutes < 30) return [minutes >= 0, seen];
			return [undefined, `${seen} (ask right after an upload)`];
		},
	},
	'Created filters': bounds('createdDate', 'creationDate'),
	'Completed filters': bounds('completedDate', 'completionDate'),
	'Engagement ID': {
		assumed:
			'Id of an engagement is the engagementId of its uploads, found by externalEngagementId',
		async find(account) {
			const named = ({ externalEngagementId: id }: IDataObject) => /^[^,]+$/.test(String(id ?? ''));
			const upload = some(await account.uploads(), named, 'upload with an external ID');
			const externalEngagementId = String(upload.externalEngagementId);
			const find = async (id: string) =>
				await account.list('engagement', 'engagements', {
					externalEngagementId: id,
					page: 0,
					size: 100,
				});
			const found = await find(externalEngagementId);
			const others = await find('probe-no-such-id');
			const isOwn = found.some(({ Id }) => String(Id) === String(upload.engagementId));
			const seen = `${found.length} found for an ID (${isOwn ? 'the same' : 'others'}), ${others.length} for an unknown one`;
			return [isOwn && found.length === 1 && others.length === 0, seen];
		},
	},
	'Last upload': {
		assumed: 'the newest one, even if it failed',
		async find(account) {
			const isFailed = (each: IDataObject) => readOutcome(each, 'UTC') === 'failed';
			const failed = some(await account.uploads(), isFailed, 'failed upload');
			const query = { engagementIds: String(failed.engagementId), page: 0, size: 100 };
			const [last = {}] = await account.list('lastUpload', 'lastUploads', query);
			const age = timeOf(last, 'creationDate') - timeOf(failed, 'creationDate');
			if (age > 0) return [undefined, 'each engagement with a failed upload has a newer one'];
			return [last.uploadId === failed.uploadId, age < 0 ? 'an older one' : 'the failed one'];
		},
	},
	Connectors: {
		assumed:
			'connectorId of engagements is an id, connectorName of uploads a name of the connector list',
		async find(account) {
			const listed = await account.list('connector', 'connectors');
			const unknown = (rows: IDataObject[], field: string, name: string) => {
				const values = new Set(rows.map((each) => each[field]).filter((each) => !isAbsent(each)));
				return [...values].filter((value) =>
					listed.every((each) => String(each[name]) !== String(value)),
				);
			};
			const ids = unknown(await account.engagements(), 'connectorId', 'id').length;
			const names = unknown(await account.uploads(), 'connectorName', 'name').length;
			return [ids + names === 0, `${ids} unknown connectorId, ${names} unknown connectorName`];
		},
	},
	Statuses: {
		assumed: 'their words say how an upload ended; those that completed have a date, others none',
		async find(account) {
			const uploads = await account.uploads();
			const seen = uploads.map((upload) => {
				const [outcome, hasDate] = [
					readOutcome(upload, 'UTC'),
					timeOf(upload, 'completionDate') > 0,
				];
				const isFit = hasDate === saysCompleted(readStatus(upload));
				const isClear = isFit && unclearStatus(upload, 'UTC') === undefined;
				return `${readStatus(upload)} ${hasDate ? 'with' : 'without'} a date: ${isClear ? outcome : 'UNCLEAR'}`;
			});
			return [uploads.length === 0 ? undefined : !/UNCLEAR/.test(seen.join()), words(seen)];
		},
	},
	People: {
		assumed:
			'owners and relationship managers are users, and staff; those of type SME are customers',
		async find(account) {
			const users = await account.list('user', 'users');
			const staff = users.filter(({ userType }) => textOf(userType) !== 'sme');
			const emails = staff.map(({ email }) => textOf(email));
			const names = staff.map(({ firstName, lastName }) => textOf(`${firstName} ${lastName}`));
			const engagements = await account.engagements();
			const owners = engagements.flatMap(({ Owner }) =>
				isObject(Owner) ? textOf(Owner.email) : [],
			);
			const managers = engagements.map((each) => textOf(each.relationshipManager));
			const others = owners.filter((each) => !emails.includes(each)).length;
			const unnamed = managers.filter((each) => !names.includes(each)).length;
			const types = words(users.map(({ userType, statusCode }) => `${userType} ${statusCode}`));
			const seen = `${others} owners and ${unnamed} managers of ${engagements.length} are no staff; users: ${types}`;
			return [owners.length === 0 ? undefined : others + unnamed === 0, seen];
		},
	},
	Periods: {
		assumed: 'only the periods (no years) of one upload, with days as yyyy-mm-dd',
		async find(account) {
			const records = await account.list('period', await account.ofEngagement('periods/'));
			const years = records.filter(({ periodId }) => isAbsent(periodId)).length;
			const uploads = new Set(records.map(({ uploadId }) => uploadId)).size;
			const forms = words(records.map(({ startDate }) => String(startDate).replace(/\d/g, '9')));
			const seen = `${records.length} records, ${years} years, ${uploads} uploads, startDate ${forms}`;
			if (records.length === 0) return [undefined, seen];
			return [years === 0 && uploads === 1 && /^9999-99-99 \(\d+\)$/.test(forms), seen];
		},
	},
	...Object.fromEntries(
		Object.entries(readers).map(([kind, read]) => [
			`Fields of ${kind}`,
			fieldsOf(kind as KindName, read),
		]),
	),
};
