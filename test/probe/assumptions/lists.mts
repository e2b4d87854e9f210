/** How lists are wrapped, cut into pages and sorted (docs/service.md#lists-and-pages). */
import * as endpoints from '../../../nodes/EngagementUploads/service/endpoints.ts';
import { isObject } from '../../../nodes/EngagementUploads/values/objects.ts';
import { FIRST_PAGE, PAGE_SIZE, type Account } from '../account.mts';
import { finding, unknown, type Assumption, type Finding } from './assumption.mts';

const LARGE_PAGE = { page: 0, size: 2000 };
const BEYOND_THE_END = { page: 1_000_000, size: 2 };

export const lists: Assumption[] = [
	{ name: 'list wrapper', assumed: 'records under `content`', check: checkWrappers },
	{
		name: 'page fields',
		assumed: '`last`, `totalPages`, `number`, `size`',
		check: checkPageFields,
	},
	{ name: 'page size', assumed: `pages of ${PAGE_SIZE}`, check: checkPageSize },
	{ name: 'page numbers', assumed: 'from 0, empty beyond the end', check: checkPageNumbers },
	{ name: 'order', assumed: '`orderBy` is honoured, with two fields too', check: checkOrder },
];

async function checkWrappers(account: Account): Promise<Finding> {
	const answers = [
		{ name: 'engagements', ...(await account.engagements()) },
		{ name: 'uploads', ...(await account.uploads()) },
		{ name: 'users', ...(await account.list(endpoints.listUsers())) },
		{ name: 'connectors', ...(await account.list(endpoints.listConnectors())) },
	];
	const wrappers = answers.map(({ answer }) => wrapperOf(answer.body));
	const seen = answers.map(({ name }, index) => `${name}: ${wrappers[index]}`).join(', ');
	const unread = answers.flatMap(({ name, why }) => (why === undefined ? [] : `${name}: ${why}`));
	if (unread.length > 0) return finding(false, seen, `cannot be read: ${unread.join(', ')}`);
	const isAsAssumed = wrappers.slice(0, 2).every((wrapper) => wrapper === '`content`');
	return finding(isAsAssumed, seen, 'all are read');
}

/** Where a response holds its list, such as `_embedded.uploads`. */
function wrapperOf(body: unknown, path: string[] = []): string {
	if (Array.isArray(body)) return path.length === 0 ? 'bare array' : `\`${path.join('.')}\``;
	if (!isObject(body)) return 'no list';
	const inner = Object.entries(body).filter(([, value]) => Array.isArray(value) || isObject(value));
	const [name, value] = inner.find(([key]) => key !== 'sort') ?? [];
	return name === undefined ? 'no list' : wrapperOf(value, [...path, name]);
}

async function checkPageFields(account: Account): Promise<Finding> {
	const { answer, page } = await account.uploads();
	const entries = isObject(answer.body) ? Object.entries(answer.body) : [];
	const names = entries.filter(([, value]) => !Array.isArray(value)).map(([name]) => name);
	const seen = names.join(', ') || 'none';
	if (page.last !== undefined)
		return finding(page.size !== undefined, seen, '`last` marks the end');
	if (page.totalPages !== undefined) return finding(false, seen, '`totalPages` marks the end');
	const end = page.size === undefined ? 'an empty page' : 'a page shorter than `size`';
	return finding(false, seen, `${end} marks the end`);
}

async function checkPageSize(account: Account): Promise<Finding> {
	const own = (await account.uploads({})).records.length;
	const normal = (await account.uploads()).records.length;
	const next = (await account.uploads({ page: 1, size: PAGE_SIZE })).records.length;
	if (next === 0) return unknown(`there are only ${normal} uploads`);
	const large = (await account.uploads(LARGE_PAGE)).records.length;
	const seen = `${own} by default, ${normal} of ${PAGE_SIZE}, ${large} of ${LARGE_PAGE.size}`;
	const isWhole = normal === PAGE_SIZE;
	return finding(isWhole, seen, isWhole ? undefined : `all pages are read, ${normal} at a time`);
}

async function checkPageNumbers(account: Account): Promise<Finding> {
	const first = await account.uploads({ page: 0, size: 2 });
	const second = await account.uploads({ page: 1, size: 2 });
	const ids = [...first.records, ...second.records].map(({ uploadId }) => uploadId);
	if (ids.length < 4) return unknown('there are fewer than four uploads');
	if (new Set(ids).size < 4) return finding(false, 'pages 0 and 1 overlap', 'read as one page');
	const beyond = await account.uploads(BEYOND_THE_END);
	const end = beyond.why ?? (beyond.records.length === 0 ? 'empty' : 'a repeated page');
	return finding(end === 'empty', `from 0; beyond the end: ${end}`);
}

async function checkOrder(account: Account): Promise<Finding> {
	const seen: string[] = [];
	for (const fields of ['completionDate', 'completionDate,uploadId', 'creationDate']) {
		seen.push(`${fields}: ${await howSorted(account, fields.split(','))}`);
	}
	const isHonoured = seen.every((each) => each.endsWith('honoured'));
	const isUnknown = seen.some((each) => each.endsWith('unclear'));
	const means = isHonoured ? 'a poll reads the newest page' : 'the trigger sorts, and reads more';
	return finding(isUnknown ? undefined : isHonoured, seen.join('; '), means);
}

/** Whether both directions of an order by date are honoured. */
async function howSorted(account: Account, fields: string[]): Promise<string> {
	const [field = ''] = fields;
	const both: number[][] = [];
	for (const direction of ['', '-']) {
		const orderBy = fields.map((name) => direction + name).join();
		const { why, records } = await account.uploads({ ...FIRST_PAGE, orderBy });
		if (why !== undefined) return `rejected, ${why}`;
		both.push(records.flatMap((record) => account.timeOf(record[field]) ?? []));
	}
	const [rising = [], falling = []] = both;
	if (new Set(both.flat()).size < 2) return 'unclear';
	const isRising = (times: number[]) =>
		times.every((time, index) => time >= (times[index - 1] ?? -Infinity));
	return isRising(rising) && isRising(falling.reverse()) ? 'honoured' : 'ignored';
}
