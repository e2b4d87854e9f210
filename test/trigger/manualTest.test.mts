/** What the editor shows when a user tests the trigger. */
import {
	activated,
	completeMany,
	listIds,
	pollChanges,
	service,
	setStatus,
	start,
	trigger,
	useSmallService,
} from './polling.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';

useVirtualTime();
useSmallService();

const manual = (parameters: object = {}, staticData = {}) =>
	trigger({ ...parameters }, { mode: 'manual', staticData });

it('a manual test shows the latest five, whatever the state, and changes nothing', async () => {
	const ids = completeMany(6, 10);
	const active = await activated();
	const poller = manual({}, active.state);
	for (let tests = 0; tests < 2; tests++) expect(await listIds(poller)).toEqual(ids.slice(1));
	expect(poller.state).toEqual(active.state);
	expect(poller.globalState).toEqual({});
});

it('shows the latest even if the service ignores the order', async () => {
	service.settings.orderBy = 'ignored';
	const ids = completeMany(20);
	expect(await listIds(manual())).toEqual(ids.slice(-5));
});

it('shows what matches event, filters and output', async () => {
	const ids = [50, 40, 30].map((minutes) => start(minutes));
	const [first = '', failed = ''] = ids;
	setStatus(failed, 'FAILED');
	expect(await listIds(manual({ event: 'uploadFailed' }))).toEqual([failed]);
	const filters = { uploadStatuses: 'loading' };
	expect(await pollChanges(manual({ event: 'uploadStatusChanged', filters }))).toEqual([
		[first, null, 'LOADING'],
		[ids[2], null, 'LOADING'],
	]);
	const output = { output: 'selectedFields', fields: 'uploadStatus, nowhere' };
	expect(await manual({ event: 'uploadFailed', ...output }).poll()).toEqual([
		{ json: { uploadId: failed, uploadStatus: 'FAILED', nowhere: null } },
	]);
});
