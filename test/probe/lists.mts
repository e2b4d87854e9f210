/** Questions about the token, refusals, and how lists are paged and sorted. */
import { isObject } from '../../nodes/EngagementUploads/values/objects.ts';
import {
	CONNECTORS,
	ENGAGEMENTS,
	findRecords,
	isRefused,
	PAGE_SIZE,
	quote,
	recordsOf,
	Unanswered,
	UPLOADS,
	USERS,
	type Account,
} from './account.mts';
import { hasDate, newest, timeOf, type Finding, type Question } from './question.mts';

const MINUTE = 60_000;
const NO_ENGAGEMENT = 999_999_999;

/** Without its answer, there are no other questions. */
export const token: Question = {
	name: 'Token',
	assumed: 'the token endpoint returns access_token and clientId',
	async find(account) {
		const { settings } = account;
		const body = new URLSearchParams(settings.tokenFields);
		const answer = await account.send(settings.tokenUrl, { method: 'POST', body });
		const fields = isObject(answer.body) ? answer.body : {};
		settings.accessToken ||= String(fields.access_token ?? '');
		settings.clientId ||= String(fields.clientId ?? '');
		const holds = 'access_token' in fields && 'clientId' in fields;
		const names = Object.keys(fields).join(', ') || 'no fields';
		const said = answer.status === 200 ? '' : quote(answer);
		return [holds, `status ${answer.status} with ${names}`, said];
	},
};

const refusals: Question = {
	name: 'Refusals',
	assumed: '401 for a wrong key or token, 404 for an unknown engagement',
	async find(account) {
		const answers = [
			await account.get(USERS, {}, { 'Ocp-Apim-Subscription-Key': 'wrong' }),
			await account.get(USERS, {}, { authorization: 'Bearer wrong' }),
			await account.get(`/v1/engagements/${NO_ENGAGEMENT}/companyDetails`),
		];
		const seen = answers.map(({ status }) => status).join(', ');
		return [seen === '401, 401, 404', seen, answers.map(quote).join(' ')];
	},
};

const form: Question = {
	name: 'Form of lists',
	assumed: 'records under content, with last and totalPages',
	async find(account) {
		const seen = new Set<string>();
		let holds = true;
		for (const list of [UPLOADS, ENGAGEMENTS]) {
			const answer = await account.get(list, { page: 0, size: 2 });
			recordsOf(answer, list.replace(/.*\//, ''));
			const { path } = findRecords(answer.body);
			const names = Object.keys(isObject(answer.body) ? answer.body : {});
			const others = names.filter((name) => name !== path);
			const isPage = others.includes('last') && others.includes('totalPages');
			holds &&= path === 'content' && isPage;
			seen.add(`${path}, beside ${others.join(', ') || 'nothing'}`);
		}
		return [holds, [...seen].join('; ')];
	},
};

const pageSize: Question = {
	name: 'Page size',
	assumed: `pages of ${PAGE_SIZE} records`,
	async find(account) {
		const size = await account.pageSize();
		const { length } = await account.uploads();
		if (size < PAGE_SIZE) return [false, `${PAGE_SIZE} is refused, ${size} accepted`];
		const isWhole = length < PAGE_SIZE && (await account.uploads({ page: 1 })).length === 0;
		if (isWhole) return [undefined, `there are only ${length} uploads`];
		return [length === PAGE_SIZE, `${length} records`];
	},
};

const order: Question = {
	name: 'Order',
	assumed:
		'orderBy=completionDate lists the oldest completion first, and -completionDate the newest',
	async find(account) {
		const listed: number[][] = [];
		for (const orderBy of ['completionDate', '-completionDate']) {
			const page = { page: 0, size: await account.pageSize(), orderBy };
			const answer = await account.get(UPLOADS, page);
			if (isRefused(answer)) return [false, `status ${answer.status}`, quote(answer)];
			listed.push(recordsOf(answer, 'upload list').flatMap((each) => timeOf(each) ?? []));
		}
		const [up = [], down = []] = listed;
		if (new Set(up).size < 2) return [undefined, 'too few completed uploads'];
		const isUp = up.join() === up.toSorted((one, other) => one - other).join();
		const isDown = down.join() === down.toSorted((one, other) => other - one).join();
		return [isUp && isDown, `${up.length} in order: ${isUp}, ${down.length} reversed: ${isDown}`];
	},
};

/** Whether a list without page parameters is whole: what it does if it gets them. */
function whole(name: string, pathOf: (account: Account) => Promise<string>): Question {
	return {
		name: `Whole list of ${name}`,
		assumed: 'the list is not paged, or says that there are more pages',
		async find(account) {
			const path = await pathOf(account);
			const all = await account.list(path);
			const answer = await account.get(path, { page: 0, size: 1 });
			const { length } = findRecords(answer.body).records;
			const seen = `${all.length} records, with size=1 ${length} (status ${answer.status})`;
			if (!isRefused(answer) && answer.status !== 200) return [undefined, seen, quote(answer)];
			if (all.length < 2) return [undefined, seen];
			if (length === 1) {
				const body = isObject(answer.body) ? answer.body : {};
				const page = isObject(body.page) ? body.page : body;
				return ['last' in page || 'totalPages' in page, `${seen}, paged`];
			}
			// What happens to be the size of a page may be one.
			return [all.length % 50 === 0 ? undefined : true, seen];
		},
	};
}

const zone: Question = {
	name: 'Time zone',
	assumed: 'times carry an offset, or are in UTC',
	async find(account) {
		const upload = await newest(account, 'completionDate');
		if (upload === undefined) return [undefined, 'there is no completed upload'];
		const { date } = await account.get(UPLOADS, { page: 0, size: 1 });
		const minutes = Math.round((Date.parse(String(date)) - (timeOf(upload) ?? 0)) / MINUTE);
		const shape = String(upload.completionDate).replace(/\d/g, '9');
		const seen = `${shape}, ${minutes} min before the service's clock`;
		if (minutes < 30) return [minutes >= 0, seen];
		return [undefined, `${seen} (ask right after an upload)`];
	},
};

/** Bounds a minute before and after the date of an upload. */
function dateFilters(name: string, field: string, filter: string): Question {
	return {
		name: `${name} filters`,
		assumed: `${filter}From and …To are bounds in the zone of records`,
		async find(account): Promise<Finding> {
			const upload = await newest(account, field);
			if (upload === undefined) return [undefined, 'there is no upload with such a date'];
			const { uploadId } = upload;
			const passes = async (side: string, minutes: number) => {
				const time = (timeOf(upload, field) ?? 0) + minutes * MINUTE;
				const bound = new Date(time).toISOString().slice(0, 19);
				// If the ID is ignored, the upload is on the first page all the same.
				const order = account.order(`-${field}`);
				const query = { uploadId: String(uploadId), [`${filter}${side}`]: bound, ...order };
				return (await account.uploads(query)).some((each) => each.uploadId === uploadId);
			};
			const from = [await passes('From', -1), await passes('From', 1)].join();
			const to = [await passes('To', -1), await passes('To', 1)].join();
			const holds = from === 'true,false' && to === 'false,true';
			return [holds, `found with bounds a minute before and after it: From ${from}, To ${to}`];
		},
	};
}

const periodsPath = async (account: Account) => {
	const upload = (await account.manyUploads()).find(hasDate);
	if (upload === undefined) throw new Unanswered('there is no completed upload');
	return `/v1/engagements/${String(upload.engagementId)}/periods/`;
};

export const questions: Question[] = [
	refusals,
	form,
	pageSize,
	order,
	whole('users', async () => USERS),
	whole('connectors', async () => CONNECTORS),
	whole('periods', periodsPath),
	zone,
	dateFilters('Created', 'creationDate', 'createdDate'),
	dateFilters('Completed', 'completionDate', 'completedDate'),
];
