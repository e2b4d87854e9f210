import { DateTime } from 'luxon';
import type { Engagement } from '../../support/service/records.mts';
import { ExampleRuns } from './exampleRuns.mts';
import { listRecords, useOpened } from './setup.mts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The default of Get Data Status. */
const STUCK_AFTER = 6 * HOUR;
/** The node of the reports that passes on what is new. */
const NEW = 'Not Reported Before';

let runs: ExampleRuns;

useOpened(async () => (runs = await ExampleRuns.open()));

/** Whether the last upload of an engagement is in progress, and not stuck. */
function isInProgress(engagementId: number): boolean {
	const { createdAt = 0, status = '' } = runs.service.model.lastUpload(engagementId) ?? {};
	return ['LOADING', 'PROCESSING'].includes(status) && createdAt > Date.now() - STUCK_AFTER;
}

/** When the last upload of an engagement that completed did so; 0 if none did. */
function lastCompletion(engagementId: number): number {
	const uploads = runs.service.model.uploads.of(engagementId);
	return Math.max(0, ...uploads.map(({ completedAt }) => completedAt ?? 0));
}

/** What staff call an engagement. */
function idOf(engagement: Engagement | undefined): string {
	return engagement?.externalEngagementId ?? `engagement ${engagement?.id}`;
}

test('missing-period lists who has not uploaded since the period ended', async () => {
	const { model } = runs.service;
	const { id } = model.addEngagement({ name: 'Glenham Partners' });
	const now = new Date();
	const quarter = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (now.getUTCMonth() % 3));
	const completedAt = quarter - 1000;
	model.addCompletedUpload({ engagementId: id, createdAt: completedAt - 1000, completedAt });
	const { id: failed } = model.addEngagement({ name: 'Glenham Studios' });
	model.addCompletedUpload({ engagementId: failed, createdAt: Date.now() - HOUR });
	model.addUpload({ engagementId: failed, status: 'FAILED' });
	const missing = model.engagements.all.filter(
		(each) => !isInProgress(each.id) && lastCompletion(each.id) < quarter,
	);
	/** As if the deadline had passed so many days ago. */
	const after = async (days: number) => {
		const daysToUpload = Math.floor((Date.now() - quarter) / DAY) - days;
		return await runs.run('missing-period.json', { replace: { '"20"': `"${daysToUpload}"` } });
	};
	const lines = listRecords(await after(1), NEW).map(({ line }) => line);
	expect(lines).toHaveLength(missing.length);
	expect(lines.join()).not.toContain(`(engagement ${failed})`);
	const date = DateTime.fromMillis(completedAt, { zone: 'UTC' }).toFormat('d LLL yyyy');
	const customer = `Glenham Partners (engagement ${id})`;
	expect(lines).toContain(`${customer}: stale, last upload completed on ${date}`);
	expect(runs.messages.at(-1)).toContain(customer);
	expect((await after(-1)).runData['Get Data Status']).toBeUndefined();
	// Named again ten days after the deadline, and only then.
	expect(listRecords(await after(9), NEW)).toEqual([]);
	model.addUpload({ engagementId: id, status: 'FAILED' });
	expect(listRecords(await after(9), NEW)).toEqual([
		expect.objectContaining({ line: expect.stringContaining(`${customer}: failed`) }),
	]);
	expect(listRecords(await after(11), NEW)).toHaveLength(missing.length);
});

test('keep-access refreshes in time, and tells once who must act', async () => {
	const { service } = runs;
	const { model } = service;
	const limits: Record<string, number> = { fernbooks: 60, quillstone: 30, sandgate: 100 };
	const due = model.engagements.all.filter(({ id, dataRefreshEnabled }) => {
		const { connectorName = '' } = model.lastUpload(id) ?? {};
		if (!dataRefreshEnabled) return false;
		const days = Math.floor((Date.now() - lastCompletion(id)) / DAY);
		const left = (limits[connectorName] ?? 7) - days;
		return left <= 2 && left > -7 && !isInProgress(id);
	});
	const [lapsed, rejected] = due;
	model.refreshOutcomes.set(lapsed?.id ?? 0, 'actionRequired');
	const path = new RegExp(`/engagements/${rejected?.id}/.*/refresh$`);
	service.fail({ path }, { kind: 'status', status: 422 }, { times: Infinity });
	const told = (text: string) => runs.messages.filter((each) => each.includes(text));
	const asked = () => told('must grant access again');
	const failed = () => told('could not be refreshed');
	const refresh = async () =>
		listRecords(await runs.run('keep-access.json'), 'Refresh').map(
			({ engagementId }) => engagementId,
		);
	expect(due.length).toBeGreaterThan(1);
	expect(await refresh()).toEqual(due.map(({ id }) => (id === rejected?.id ? undefined : id)));
	const name = lapsed?.name ?? '';
	expect(asked()).toEqual([
		expect.stringMatching(`^${name} \\(${idOf(lapsed)}\\) must .* at http`),
	]);
	expect(failed()).toEqual([expect.stringContaining(`(${idOf(rejected)}) could not`)]);
	expect(await refresh()).toContain(lapsed?.id);
	expect(asked()).toHaveLength(1);
	expect(failed()).toHaveLength(1);
	service.clearFaults();
});

test('stale-engagements reports each engagement without recent data once, and again as it ages', async () => {
	const { model } = runs.service;
	const { id } = model.addEngagement({ name: 'Corfe Group' });
	const { id: ageing } = model.addEngagement({ name: 'Glenham Carpenters' });
	const last = model.addCompletedUpload({
		engagementId: ageing,
		completedAt: Date.now() - 31 * DAY,
	});
	const { id: failing } = model.addEngagement({ name: 'Ashby Farms' });
	model.addCompletedUpload({
		engagementId: failing,
		createdAt: Date.parse('2026-01-30T08:00:00Z'),
	});
	const failure = { engagementId: failing, status: 'FAILED' };
	model.addUpload({ ...failure, createdAt: Date.parse('2026-01-31T09:30:00Z') });
	const report = async () => await runs.run('stale-engagements.json');
	const reported = listRecords(await report(), NEW);
	const stale = model.engagements.all.filter((engagement) => {
		const { completedAt } = model.lastUpload(engagement.id) ?? {};
		return !isInProgress(engagement.id) && (completedAt ?? 0) < Date.now() - 30 * DAY;
	});
	expect(reported.map(({ engagementId }) => engagementId).sort()).toEqual(
		stale.map((engagement) => engagement.id).sort(),
	);
	const lines = [
		`Corfe Group (engagement ${id}): no upload yet`,
		`Ashby Farms (engagement ${failing}): last upload failed, started 31 Jan 2026`,
	];
	for (const line of lines) {
		expect(reported).toContainEqual(expect.objectContaining({ line }));
		expect(runs.messages.at(-1)).toContain(line);
	}
	// The next attempt fails as well, which is nothing new.
	model.addUpload(failure);
	expect(listRecords(await report(), NEW)).toEqual([]);
	model.updateUpload(last.uploadId, { completedAt: Date.now() - 61 * DAY });
	const again = `Glenham Carpenters (engagement ${ageing}): last upload completed 61 days ago`;
	const lines_ = async () => listRecords(await report(), NEW).map(({ line }) => line);
	expect(await lines_()).toEqual([again]);
	// Data arrived, and is as old again as when the customer was first named.
	const thirtyOne = Date.now() - 31 * DAY;
	model.addCompletedUpload({ engagementId: ageing, completedAt: thirtyOne });
	expect(await lines_()).toEqual([again.replace('61', '31')]);
});

test('schedule-by-contract schedules as the contract says, and reports who is at fault', async () => {
	const { model } = runs.service;
	const { id: quarterly } = model.addEngagement({ externalEngagementId: 'LOAN-1' });
	await runs.run('schedule-by-contract.json', { replace: { 'CRM-00004': 'LOAN-1' } });
	const now = new Date();
	const fifth = (months: number) =>
		new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 5));
	const startDate = (months: number) => fifth(months).toISOString().slice(0, 10);
	expect(model.schedules.get(1001)).toEqual({ frequency: '2', startDate: startDate(1) });
	const untilQuarter = 3 - (now.getUTCMonth() % 3);
	const everyQuarter = { frequency: '5', startDate: startDate(untilQuarter) };
	expect(model.schedules.get(quarterly)).toEqual(everyQuarter);
	await runs.run('schedule-by-contract.json', { replace: { 'CRM-00001': 'LOAN-9' } });
	expect(runs.messages.at(-1)).toContain('Subject: No refreshes scheduled for LOAN-9');
});

test('weekly-digest sends each relationship manager their own customers', async () => {
	const { model } = runs.service;
	const manager = (email: string, statusCode = 'ACTIVE') => {
		const { firstName, lastName } = model.addUser({ lastName: email, email, statusCode });
		return `${firstName} ${lastName}`;
	};
	const add = (name: string, relationshipManager: string) =>
		idOf(model.addEngagement({ name, relationshipManager }));
	const [one, gone] = [manager('one@lender.example'), manager('gone@lender.example', 'DISABLED')];
	const ids = [
		add('Fairford Studios', one),
		add('Corfe Printers', one),
		add('Glenham Weavers', gone),
	];
	model.addCompletedUpload({ engagementId: model.addEngagement({ relationshipManager: one }).id });
	runs.messages.length = 0;
	await runs.run('weekly-digest.json');
	const sentTo = (email: string) => runs.messages.filter((each) => each.includes(`To: ${email}`));
	const [digest = '', ...others] = sentTo('one@lender.example');
	expect(others).toEqual([]);
	expect(digest).toContain(`Subject: 2 customers of ${one} need attention`);
	expect(digest.trim().split('\n').slice(-2)).toEqual([
		`Corfe Printers (${ids[1]}): no upload yet`,
		`Fairford Studios (${ids[0]}): no upload yet`,
	]);
	expect(sentTo('gone@lender.example')).toEqual([]);
	expect(sentTo('team@example.com').join()).toContain(`Glenham Weavers (${ids[2]})`);
	const listed =
		sentTo('')
			.join()
			.match(/^\S.* \(.+\): /gm) ?? [];
	expect(listed).toHaveLength(new Set(listed).size);
});
