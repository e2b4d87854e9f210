/**
 * A customer's life, from the first link to the end, played through the examples: who is told what. The
 * service lists an upload of one customer at once, and of the other one when the link is opened.
 */
import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';
import { waitUntil } from '../process/waitFor.mts';
import { ExampleRuns } from './exampleRuns.mts';
import { every } from './polling.mts';
import { useOpened } from './setup.mts';

const HOUR = 3_600_000;
const TABLE = 'Customers to onboard';

const CUSTOMERS = [
	{ id: '861', name: 'Aldwick', email: 'a@customer.example', listsUploads: 'atStart' },
	{ id: '862', name: 'Bexley', email: 'b@customer.example', listsUploads: 'whenOpened' },
] as const;
type Customer = (typeof CUSTOMERS)[number];
/** Who owns all engagements, and is their relationship manager. */
const COLLEAGUE = { firstName: 'Mara', lastName: 'Quill', email: 'mara@lender.example' };

/** In the order of a day; the last two report whatever is not in order, each time. */
const SCHEDULED = [
	...['onboard-customers', 'keep-access', 'schedule-by-contract', 'stale-engagements'],
	...['missing-period', 'chase-customers', 'refresh-then-notify', 'weekly-digest'],
];

/** What customers do some hours after the stage before, and who is told of it (# is the customer). */
interface Stage {
	is: string;
	after?: number;
	/** What is published before that, since a trigger would lose sight of an upload that ages at once. */
	publishes?: string[];
	does?: (customer: Customer, engagementId: number) => unknown;
	both?: string[];
	atStart?: string[];
	whenOpened?: string[];
}

const NO_UPLOAD = 'colleague: #: no upload yet';
const STUCK = 'colleague: #: upload stuck since …';
const FAILED = ['colleague: #: last upload failed, started …', 'posted: • #'];

const LIFE: Stage[] = [
	{
		is: 'onboarded',
		publishes: ['stuck-uploads'],
		does: async ({ id, listsUploads, ...columns }) => {
			runs.service.settings.listsUploads = listsUploads;
			const row = { ...columns, customerNumber: id, accountingPackage: 'Fernbooks Online' };
			await runs.addRows(TABLE, [row]);
			await run('onboard-customers');
		},
		both: ['customer: Please open this link to share the accounting data of # with us:'],
		whenOpened: [NO_UPLOAD, 'team: #: never', 'team: #: no upload yet'],
	},
	{
		is: 'silent for seven hours',
		after: 7,
		atStart: [
			...[STUCK, 'colleague: Subject: Upload stuck: #'],
			...['team: #: stuck', 'team: #: upload stuck since …'],
		],
		whenOpened: [NO_UPLOAD],
	},
	{
		is: 'silent for eight days',
		after: 8 * 24,
		both: ['customer: Subject: Please share the accounting data of #'],
		atStart: [STUCK],
		whenOpened: [NO_UPLOAD],
	},
	{
		is: 'opening the link',
		publishes: ['notify-failed-uploads', 'first-data', 'crm-write-back'],
		does: async ({ id }) => {
			const row = (await runs.rows(TABLE)).find((each) => each.customerNumber === id);
			// So that the upload does not end by itself.
			runs.service.settings.stickEvery = 1;
			expect((await fetch(String(row?.link))).ok).toBe(true);
			runs.service.settings.stickEvery = 0;
		},
		atStart: [STUCK],
	},
	{
		is: 'failing',
		does: (_, engagementId) => {
			const { model } = runs.service;
			model.failUpload(model.lastUpload(engagementId)?.uploadId ?? '');
		},
		both: [
			...[...FAILED, 'colleague: Subject: Upload failed: #'],
			...['team: #: failed', 'team: #: last upload failed, started …'],
		],
	},
	{ is: 'still failing', after: 1, both: FAILED },
	{
		is: 'sharing data',
		does: (_, engagementId) => {
			const { model } = runs.service;
			model.completeUpload(model.addUpload({ engagementId }).uploadId);
		},
		both: ['posted: Account #', 'team: Subject: First data of #'],
	},
	{ is: 'refreshed before access lapses', after: 59 * 24, both: ['posted: Account #'] },
	{
		is: 'disabled, with old data',
		after: 100 * 24,
		does: (_, id) => runs.service.model.updateEngagement(id, { active: false, status: 'DISABLED' }),
	},
];

let runs: ExampleRuns;
let errorWorkflow: string;
/** The page sizes by which the polls of the published examples are known. */
const pageSizes: number[] = [];

useOpened(
	async () => (runs = await ExampleRuns.open({ service: { settings: { uploadDurationMs: 10 } } })),
);

beforeAll(async () => {
	runs.service.model.addConnector({ name: 'fernbooks', title: 'Fernbooks Online' });
	runs.service.model.addUser(COLLEAGUE);
	errorWorkflow = await runs.publish('error-workflow.json');
	await run('onboard-customers');
});

beforeEach(() => (runs.messages.length = 0));

// Each stage runs all examples again: what is told twice is not expected there.
test.each(LIFE)(
	'a customer who is $is',
	async ({ is, after = 0, publishes = [], does, ...expected }) => {
		await pass(after);
		for (const example of publishes) await publish(example);
		await polled();
		const { engagements } = runs.service.model;
		for (const each of CUSTOMERS)
			await does?.(
				each,
				engagements.all.find((own) => own.externalEngagementId === each.id)?.id ?? 0,
			);
		await polled();
		for (const example of SCHEDULED) await run(example, is);
		const due = CUSTOMERS.map(({ name, listsUploads }) => {
			const lines = [...(expected.both ?? []), ...(expected[listsUploads] ?? [])];
			return [name, lines.sort()];
		});
		const told = () => CUSTOMERS.map((each) => [each.name, linesAbout(each).sort()]);
		const isOver = () => told().flat(2).length >= due.flat(2).length;
		// The comparison below shows what is missing.
		await waitUntil(isOver, { what: 'messages' }).catch(() => undefined);
		expect(told()).toEqual(due);
		expect(runs.messages.filter((each) => !/Aldwick|Bexley|Account/.test(each))).toEqual([]);
	},
);

test('nobody was refreshed twice', () => {
	const refreshes = runs.writes().filter(({ path }) => path.endsWith('/refresh'));
	expect(refreshes).toHaveLength(CUSTOMERS.length);
});

/** Makes everything older. */
async function pass(hours: number): Promise<void> {
	const { model } = runs.service;
	const by = hours * HOUR;
	for (const { id, createdAt } of model.engagements.all)
		model.updateEngagement(id, { createdAt: createdAt - by });
	for (const { uploadId, createdAt, completedAt: at } of model.uploads.all)
		model.updateUpload(uploadId, { createdAt: createdAt - by, completedAt: at && at - by });
	for (const { customerNumber, sentOn } of await runs.rows(TABLE)) {
		const earlier = DateTime.fromISO(String(sentOn)).minus({ hours }).toISO();
		await runs.updateRow(TABLE, String(customerNumber), { sentOn: earlier });
	}
}

async function publish(example: string): Promise<void> {
	const pageSize = 401 + pageSizes.length;
	const trigger = ({ options }: INodeParameters) => ({
		...every(3),
		options: Object.assign({}, options, { pageSize }),
	});
	await runs.publish(`${example}.json`, { trigger, errorWorkflow });
	pageSizes.push(pageSize);
}

/** Waits until each published trigger has polled once more, from beginning to end. */
async function polled(): Promise<void> {
	const begun = (size: number) =>
		runs.service.requests.filter(({ query }) => query.size === String(size) && !query.engagementId)
			.length;
	const before = pageSizes.map(begun);
	// One may be in progress; the next one is over when the one after that begins.
	const isOver = () => pageSizes.every((size, index) => begun(size) > Number(before[index]) + 1);
	await waitUntil(isOver, { what: 'polls' });
}

/** Runs an example as on this day, whatever day it is. */
async function run(example: string, day = 'the first day'): Promise<void> {
	const asked = { '$now.toISODate()': `'${day}'` };
	const { days } = DateTime.utc().diff(DateTime.utc().startOf('quarter'), 'days');
	const changes: Record<string, Record<string, string>> = {
		'keep-access': asked,
		'refresh-then-notify': asked,
		'schedule-by-contract': { 'CRM-00001': CUSTOMERS[0].id, 'CRM-00004': CUSTOMERS[1].id },
		// The deadline has just passed.
		'missing-period': { '"20"': `"${Math.floor(days) - 1}"` },
	};
	await runs.run(`${example}.json`, { replace: changes[example] });
}

/** The first line about a customer in each message, after whom it was sent to. */
function linesAbout({ id, name, email }: Customer): string[] {
	const people = new Map([
		[email, 'customer'],
		['team@lender.example', 'team'],
		[COLLEAGUE.email, 'colleague'],
	]);
	return runs.messages.flatMap((message) => {
		const line = message
			.split('\n')
			.find((each) => each.includes(name) || each.includes(`Account ${id}`));
		if (line === undefined) return [];
		const [, to = ''] = /^To: (.*)$/m.exec(message) ?? [];
		const words = line.replace(` (${id})`, '').replace(/\d+ \w+ \d{4}$/, '…');
		const about = words.replace(name, '#').replace(/Account .*/, 'Account #');
		return `${people.get(to) ?? `posted${to}`}: ${about}`;
	});
}
