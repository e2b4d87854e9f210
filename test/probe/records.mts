/** Questions about what records contain and mean. */
import { kinds, type KindName } from '../../nodes/EngagementUploads/service/records.ts';
import {
	isFailedStatus,
	readOutcome,
	readStatus,
	saysCompleted,
	unclearStatus,
} from '../../nodes/EngagementUploads/service/uploadStatus.ts';
import { listSteps } from '../../nodes/EngagementUploads/service/uploadRecords.ts';
import { groupBy, isObject } from '../../nodes/EngagementUploads/values/objects.ts';
import { readBoolean } from '../../nodes/EngagementUploads/values/scalars.ts';
import { isAbsent } from '../../nodes/EngagementUploads/values/text.ts';
import { compareFields } from '../support/description.mts';
import {
	CONNECTORS,
	ENGAGEMENTS,
	findRecords,
	quote,
	recordsOf,
	Unanswered,
	USERS,
	type Account,
	type Row,
} from './account.mts';
import { hasDate, words, type Finding, type Question } from './question.mts';

const MAX_DAYS_OF_PERIOD = 100;
const DAY = 24 * 60 * 60_000;

const completed = async (account: Account) => (await account.manyUploads()).find(hasDate);

/** Something of an engagement with data. @throws if it is refused */
function ofEngagement(account: Account, what: 'companyDetails' | 'periods/') {
	return account.keep(what, async () => {
		const upload = await completed(account);
		if (upload === undefined) throw new Unanswered('there is no completed upload');
		return await account.get(`/v1/engagements/${String(upload.engagementId)}/${what}`);
	});
}

/** The workflow of an upload that has not completed, if there is one. */
function workflow(account: Account) {
	return account.keep('workflow', async () => {
		const uploads = await account.manyUploads();
		const isOpen = (each: Row) => readOutcome(each, 'UTC') !== 'completed';
		const upload = uploads.find(isOpen) ?? uploads[0];
		if (upload === undefined) throw new Unanswered('there is no upload');
		const [engagement, id] = [String(upload.engagementId), String(upload.uploadId)];
		const answer = await account.get(`/v1/workflows/engagements/${engagement}/uploads/${id}`);
		return { upload, answer };
	});
}

function recordOf(answer: Awaited<ReturnType<Account['get']>>, what: string): Row[] {
	if (answer.status === 200 && isObject(answer.body)) return [answer.body];
	throw new Unanswered(`${what}: status ${answer.status}`, quote(answer));
}

/** The kinds that can be read; a created engagement is for the checklist of docs/service.md. */
type Listed = Exclude<KindName, 'createdEngagement'>;

const READ: Record<Listed, (account: Account) => Promise<Row[]>> = {
	engagement: (account) => account.list(ENGAGEMENTS),
	upload: (account) => account.manyUploads(),
	lastUpload: async (account) => recordsOf((await account.lastUploads()).answer, 'last uploads'),
	user: (account) => account.list(USERS),
	connector: (account) => account.list(CONNECTORS),
	company: async (account) => recordOf(await ofEngagement(account, 'companyDetails'), 'company'),
	period: async (account) => recordsOf(await ofEngagement(account, 'periods/'), 'periods'),
	workflow: async (account) => recordOf((await workflow(account)).answer, 'workflow'),
};

/** The documentation has one more field of users, whose name it garbles. */
const UNNAMED: Partial<Record<Listed, number>> = { user: 1 };

const fields = (name: Listed): Question => ({
	name: `Fields of ${name}`,
	assumed: 'those of the table in docs/service.md, no more and no less',
	async find(account) {
		const records = await READ[name](account);
		if (records.length === 0) return [undefined, 'there are no records'];
		const { unknown, missing, otherType } = compareFields(records, kinds[name]);
		const listed = { missing, more: unknown, 'of another type': otherType };
		const seen = Object.entries(listed)
			.filter(([, names]) => names.length > 0)
			.map(([what, names]) => `${what}: ${names.slice(0, 20).join(', ')}`);
		const departures = missing.length + otherType.length + unknown.length;
		const holds = departures === 0 || (departures === 1 && unknown.length === UNNAMED[name]);
		return [holds, seen.join('; ') || `${records.length} records`];
	},
});

const statuses: Question = {
	name: 'Statuses',
	assumed: 'their words say how an upload ended; those that completed have a date, others none',
	async find(account) {
		const seen = new Map<string, boolean>();
		for (const upload of await account.manyUploads()) {
			const status = readStatus(upload);
			const outcome = readOutcome(upload, 'UTC');
			const isClear = unclearStatus(upload, 'UTC') === undefined;
			const isFit = hasDate(upload) === (saysCompleted(status) && isClear);
			const date = hasDate(upload) ? 'with a date' : 'without a date';
			seen.set(`${status} ${date}: ${isClear ? outcome : 'unclear'}`, isFit && isClear);
		}
		const shown = words([...seen.keys()]).replaceAll(' (1)', '');
		return [seen.size === 0 ? undefined : [...seen.values()].every(Boolean), shown];
	},
};

/** Uploads of engagements whose status is not the most frequent one: the disabled ones may be among them. */
async function ofUnusualStatus(account: Account): Promise<Row[]> {
	const engagements = await account.list(ENGAGEMENTS);
	const byStatus = groupBy(engagements, ({ status }) => status);
	const groups = [...byStatus.values()].toSorted((one, other) => other.length - one.length);
	const ids = groups.slice(1).flatMap((group) => group.slice(0, 10).map(({ Id }) => Id));
	if (ids.length === 0) return [];
	const found = await account.uploads({ engagementId: ids.slice(0, 50).join() });
	const seen = new Set((await account.manyUploads()).map(({ uploadId }) => uploadId));
	return found.filter(({ uploadId }) => !seen.has(uploadId));
}

const enabled: Question = {
	name: 'Disabled engagements',
	assumed: "active of an upload is the engagement's state of today, not that of the upload",
	async find(account) {
		const uploads = [...(await account.manyUploads()), ...(await ofUnusualStatus(account))];
		const states = new Map<unknown, unknown[]>();
		for (const { engagementId, active } of uploads)
			states.set(engagementId, [...(states.get(engagementId) ?? []), readBoolean(active)]);
		const isOff = (values: unknown[]) => values.every((each) => each === false);
		const off = [...states].filter(([, values]) => isOff(values));
		const mixed = [...states.values()].filter((each) => new Set(each).size > 1).length;
		const ids = new Set(off.map(([id]) => String(id)));
		const engagements = await account.list(ENGAGEMENTS);
		const [disabled, others] = [true, false].map((side) =>
			engagements.filter(({ Id }) => ids.has(String(Id)) === side),
		);
		const seen = [
			`active: ${words(uploads.map(({ active }) => active))}`,
			`engagements: ${states.size}, of them ${off.length} disabled, ${mixed} both`,
			`status if disabled: ${words((disabled ?? []).map(({ status }) => status))}`,
			`status of others: ${words((others ?? []).map(({ status }) => status))}`,
			`type: ${words(engagements.map(({ type }) => type))}`,
			`uploadType: ${words(uploads.map(({ uploadType }) => uploadType))}`,
		].join('; ');
		const isTold = off.some(([, { length }]) => length > 1);
		return [mixed > 0 ? false : isTold ? true : undefined, seen];
	},
};

const stepsPath: Question = {
	name: 'Path of steps',
	assumed: 'the path of a workflow takes the UUID of an upload',
	async find(account) {
		const { upload, answer } = await workflow(account);
		const { status, body } = answer;
		const isOwn = isObject(body) && body.uploadId === upload.uploadId;
		return [status === 200 && isOwn, `status ${status}`, status === 200 ? '' : quote(answer)];
	},
};

const currentStep: Question = {
	name: 'Current step',
	assumed: 'steps that have not begun have no `started`',
	async find(account) {
		const { answer } = await workflow(account);
		const steps = recordOf(answer, 'workflow').flatMap(listSteps);
		const statusOf = steps.map(({ status }) => (isAbsent(status) ? '' : String(status)));
		const at = statusOf.findIndex((status) => !saysCompleted(status));
		const waiting = at < 0 ? [] : steps.slice(at + 1);
		const begun = waiting.filter(({ started }) => !isAbsent(started)).length;
		const verdicts = statusOf.map(
			(each) =>
				`${each}: ${isFailedStatus(each) ? 'failed' : saysCompleted(each) ? 'completed' : 'open'}`,
		);
		const seen = `${begun} of ${waiting.length} waiting steps have started; ${words(verdicts)}`;
		return [waiting.length === 0 ? undefined : begun === 0, seen];
	},
};

const periods: Question = {
	name: 'Periods',
	assumed: 'only the periods (no years) of one upload, with days as yyyy-mm-dd',
	async find(account) {
		const records = recordsOf(await ofEngagement(account, 'periods/'), 'periods');
		const days = ({ startDate, endDate }: Row) =>
			(Date.parse(String(endDate)) - Date.parse(String(startDate))) / DAY;
		const years = records.filter(
			(each) => isAbsent(each.periodId) || days(each) > MAX_DAYS_OF_PERIOD,
		).length;
		const uploads = new Set(records.map(({ uploadId }) => uploadId)).size;
		const forms = words(records.map((each) => String(each.startDate).replace(/\d/g, '9')));
		const seen = `${records.length} records, ${years} years, ${uploads} uploads, startDate ${forms}`;
		const isPlain = records.every((each) => /^\d{4}-\d\d-\d\d$/.test(String(each.startDate)));
		if (records.length === 0) return [undefined, seen];
		return [years === 0 && uploads === 1 && isPlain, seen];
	},
};

const noCompany: Question = {
	name: 'Company before an upload',
	assumed: '404, as for an unknown engagement',
	async find(account): Promise<Finding> {
		const { ids, answer } = await account.lastUploads();
		const shared = new Set(findRecords(answer.body).records.map((each) => each.engagementId));
		for (const each of await account.manyUploads()) shared.add(each.engagementId);
		const id = ids.find((each) => !shared.has(each));
		if (answer.status !== 200 || id === undefined)
			return [undefined, 'no engagement without uploads was found'];
		const given = await account.get(`/v1/engagements/${String(id)}/companyDetails`);
		const values = isObject(given.body) ? Object.values(given.body) : [];
		const filled = values.filter((each) => !isAbsent(each)).length;
		const seen = `status ${given.status}${given.status === 200 ? `, ${filled} fields have a value` : ''}`;
		return [given.status === 404, seen];
	},
};

export const questions: Question[] = [
	statuses,
	enabled,
	stepsPath,
	currentStep,
	periods,
	noCompany,
	...(Object.keys(READ) as Listed[]).map(fields),
];
