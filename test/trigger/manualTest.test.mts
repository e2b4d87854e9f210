/** What the editor shows when a user tests the trigger. */
import {
	activated,
	pollChanges,
	complete,
	completeMany,
	listIds,
	service,
	setStatus,
	start,
	trigger,
	useSmallService,
} from './polling.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';

useVirtualTime();

useSmallService(() => {
	service.model.addEngagement({ id: 2 });
});

describe('a manual test', () => {
	const manual = (parameters: object = {}, staticData = {}) =>
		trigger({ ...parameters }, { mode: 'manual', staticData });

	it('shows the latest five, whatever the state, and changes nothing', async () => {
		const ids = [70, 60, 50, 40, 30, 20].map((minutes) => complete(minutes));
		const active = await activated();
		const poller = manual({}, active.state);
		expect(await listIds(poller)).toEqual(ids.slice(1));
		expect(await listIds(poller)).toEqual(ids.slice(1));
		expect(poller.state).toEqual(active.state);
		expect(poller.globalState).toEqual({});
	});

	it('shows only matching uploads, however far back', async () => {
		const first = complete(1000, { engagementId: 2 });
		completeMany(2100, 0.1);
		const filters = { engagementIds: '2' };
		expect(await listIds(manual({ filters }))).toEqual([first]);
	});

	it('shows the selected fields, simplified ones first', async () => {
		const uploadId = complete(5);
		const fields = 'uploadId, completionDate, nowhere';
		const completionDate = '2026-06-15T09:55:00.000Z';
		expect(await manual({ output: 'selectedFields', fields }).poll()).toEqual([
			{ json: { uploadId, completionDate, nowhere: null } },
		]);
	});

	it('looks through the latest 2,000 uploads at most', async () => {
		completeMany(2500);
		const filters = { externalEngagementIds: 'none' };
		expect(await listIds(manual({ filters }))).toEqual([]);
		expect(service.requests).toHaveLength(10);
	});

	it('shows the latest even if the service ignores the order', async () => {
		service.settings.honourOrderBy = false;
		const ids = completeMany(2100);
		expect(await listIds(manual())).toEqual(ids.slice(-5));
	});

	it('shows failures, or statuses, of an event that follows uploads', async () => {
		const ids = [50, 40, 30].map((minutes) => start(minutes));
		setStatus(ids[1] ?? '', 'FAILED');
		expect(await listIds(manual({ event: 'uploadFailed' }))).toEqual([ids[1]]);
		expect(await pollChanges(manual({ event: 'uploadStatusChanged' }))).toEqual([
			[ids[0], null, 'LOADING'],
			[ids[1], null, 'FAILED'],
			[ids[2], null, 'LOADING'],
		]);
	});
});
