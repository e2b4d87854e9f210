/** What the random histories leave out about events. */
import {
	activated,
	changesOf,
	complete,
	drain,
	expectNext,
	idsOf,
	modes,
	service,
	setStatus,
	start,
	useSmallService,
} from './polling.mts';

const HOUR = 3_600_000;

useSmallService(() => {
	service.model.addConnector({ name: 'ledgerpro' });
});

it.each(modes)('an upload whose completion date moves stays the same upload, %o', async (mode) => {
	const { model } = service;
	const poller = await activated({}, mode);
	const id = complete();
	expect(await idsOf(poller)).toEqual([id]);
	for (let moved = 0; moved < 6; moved++) {
		model.moveClock(HOUR);
		model.updateUpload(id, { completedAt: model.now });
		expect(await idsOf(poller)).toEqual([]);
	}
	// Back and forth: the date with which it was last seen stays within the look-back.
	model.updateUpload(id, { completedAt: model.now - 2.8 * HOUR });
	expect(await idsOf(poller)).toEqual([]);
	for (let polls = 0; polls < 3; polls++) {
		model.moveClock(0.6 * HOUR);
		await expectNext(poller);
	}
	model.updateUpload(id, { completedAt: model.now });
	expect(await idsOf(poller)).toEqual([]);
});

describe('uploads are followed', () => {
	it.each([
		{ how: 'until the look-back has passed after their end', status: 'COMPLETED', hours: 2 },
		{ how: 'no longer than Follow For', status: 'PROCESSING', hours: 24 },
	])('$how', async ({ status, hours }) => {
		const minute = HOUR / 60;
		const id = start();
		const parameters = { event: 'uploadStatusChanged', options: { followFor: 1 } };
		const poller = await activated(parameters);
		if (status === 'COMPLETED') service.model.completeUpload(id);
		else setStatus(id, status);
		expect(await changesOf(poller)).toEqual([[id, 'LOADING', status]]);
		service.model.moveClock(hours * HOUR - minute);
		setStatus(id, 'ARCHIVED');
		expect(await changesOf(poller)).toEqual([[id, status, 'ARCHIVED']]);
		service.model.moveClock(2 * minute);
		setStatus(id, 'DELETED');
		expect(await changesOf(poller)).toEqual([]);
	});

	it('even if there is more than one poll may emit', async () => {
		const options = { maxUploadsPerPoll: 2 };
		const poller = await activated({ event: 'uploadStatusChanged', options });
		const ids = [5, 4, 3, 2, 1].map((minutes) => start(minutes));
		expect((await drain(poller)).flat()).toEqual(ids);
		for (const id of ids) setStatus(id, 'PROCESSING');
		expect((await drain(poller)).flat()).toEqual(ids);
	});
});
