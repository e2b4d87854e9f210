/**
 * The examples that a commit's checks run, since each shows something of its own: the trigger and a
 * table, a write and its outcome, and its outcome. `npm run test:examples`
 * runs all of them.
 */
import type { Engagement } from '../../support/service/records.mts';
import { ExampleRuns, HOSTILE_NAME, HOSTILE_WORDS } from './exampleRuns.mts';
import { listRecords, useOpened } from './setup.mts';

const DAY = 24 * 3_600_000;

let runs: ExampleRuns;

useOpened(async () => (runs = await ExampleRuns.open()));

const savedUploads = async () => await runs.rows('Completed uploads');

test('uploads-table keeps one row per upload, even if the same uploads come again', async () => {
	const run = async () => listRecords(await runs.run('uploads-table.json'), 'Upload Completed');
	const first = await run();
	const second = await run();
	const contents = (records: Array<Record<string, unknown>>) =>
		records.map(({ uploadId, engagementName, uploadStatus }) =>
			[uploadId, engagementName, uploadStatus].join(),
		);
	const all = new Set(contents([...first, ...second]));
	// Another may have completed meanwhile.
	expect(all.size).toBeLessThan(first.length + second.length);
	expect(contents(await savedUploads()).sort()).toEqual([...all].sort());
});

test('uploads-table adds and updates at night what is missing or has changed', async () => {
	const { model } = runs.service;
	const { uploadId: failed } = model.addCompletedUpload({});
	model.updateUpload(failed, { status: 'UPLOAD_FAILED' });
	// Their executions were lost.
	const lost = HOSTILE_WORDS.map(
		(name) => runs.addCustomer({ name, externalEngagementId: name }).uploadId,
	);
	const night = async () => await runs.run('uploads-table.json', { start: 'Every Night at 3' });
	const recent = listRecords(await night(), 'Get Recent Uploads').map(({ uploadId }) => uploadId);
	expect(recent).toEqual(expect.arrayContaining(lost));
	const [changed = ''] = lost;
	model.updateUpload(changed, { status: 'ARCHIVED' });
	await night();
	const rows = await savedUploads();
	expect(rows).toContainEqual(
		expect.objectContaining({ uploadId: changed, uploadStatus: 'ARCHIVED' }),
	);
	const ids = rows.map(({ uploadId }) => uploadId);
	expect(ids).toEqual(expect.arrayContaining(recent));
	expect(ids).not.toContain(failed);
	expect(new Set(ids).size).toBe(ids.length);
	for (const word of HOSTILE_WORDS)
		expect(rows).toContainEqual(
			expect.objectContaining({ engagementName: word, externalEngagementId: word }),
		);
});

test('refresh-then-notify posts one message: who was refreshed, and who was not and why', async () => {
	const { model } = runs.service;
	const addOld = (engagement: Partial<Engagement>, connectorName = 'fernbooks') => {
		const completedAt = Date.now() - 40 * DAY;
		return runs.addCustomer(engagement, { connectorName, completedAt }).engagementId;
	};
	const lapsed = addOld({ name: HOSTILE_NAME, externalEngagementId: 'CRM-00701' });
	const failing = addOld({ name: 'Dunmore Smithy', externalEngagementId: 'CRM-00702' });
	const rejected = addOld({ name: 'Elmswell Joinery' }, 'pebbleworks');
	addOld({ name: 'Glenham Weavers', externalEngagementId: 'CRM-00704', dataRefreshEnabled: false });
	model.refreshOutcomes.clear();
	model.refreshOutcomes.set(lapsed, 'actionRequired').set(failing, 'fails');
	const run = async () => {
		runs.messages.length = 0;
		const execution = await runs.run('refresh-then-notify.json');
		const old = listRecords(execution, 'Get Old Data');
		const [message = '', ...others] = runs.messages;
		expect(others).toEqual([]);
		const cannot = old.filter(({ dataRefreshEnabled }) => dataRefreshEnabled !== true).length;
		return { message, refreshable: old.length - cannot, cannot };
	};
	const { message, refreshable, cannot } = await run();
	expect(refreshable).toBeGreaterThan(4);
	const [first, , title, signIn, , failed, ...rest] = message.split('\n');
	const counts = `1 not refreshed, 2 failed, ${cannot} cannot be refreshed`;
	expect(first).toBe(`Data refresh: ${refreshable - 3} refreshed, ${counts}`);
	expect([title, failed]).toEqual(['Not refreshed, since the customer must act:', 'Failed:']);
	expect(signIn).toContain(`• ${HOSTILE_NAME} (CRM-00701): Authentication Required, at http`);
	expect(rest.slice(0, 2).sort()).toEqual([
		expect.stringMatching(/^• Dunmore Smithy \(CRM-00702\): .*FAILED/),
		expect.stringMatching(`^• Elmswell Joinery \\(engagement ${rejected}\\): .*pebbleworks`),
	]);
	expect(rest.slice(2, 4)).toEqual(['', 'Cannot be refreshed, so ask the customer:']);
	expect(rest).toContain('• Glenham Weavers (CRM-00704)');
});
