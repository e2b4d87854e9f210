/** What the random histories leave out about events. */
import {
	activated,
	changesOf,
	complete,
	drain,
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
	const poller = await activated({}, mode);
	const id = complete();
	expect(await idsOf(poller)).toEqual([id]);
	for (let moved = 0; moved < 6; moved++) {
		service.model.moveClock(HOUR);
		service.model.updateUpload(id, { completedAt: service.model.now });
		expect(await idsOf(poller)).toEqual([]);
	}
});

it.each(modes)(
	'an upload whose completion date moves back and forth stays the same, %o',
	async (mode) => {
		const poller = await activated({}, mode);
		const id = complete();
		expect(await idsOf(poller)).toEqual([id]);
		const { model } = service;
		model.updateUpload(id, { completedAt: model.now - 2.8 * HOUR });
		expect(await idsOf(poller)).toEqual([]);
		// The date with which it was emitted stays within the look-back.
		for (let polls = 0; polls < 3; polls++) {
			model.moveClock(0.6 * HOUR);
			const other = complete();
			expect(await idsOf(poller)).toEqual([other]);
		}
		model.updateUpload(id, { completedAt: model.now });
		expect(await idsOf(poller)).toEqual([]);
	},
);

describe('uploads are followed', () => {
	it('until the look-back has passed after their end', async () => {
		const id = start(5);
		const poller = await activated({ event: 'uploadStatusChanged' });
		service.model.completeUpload(id);
		expect(await changesOf(poller)).toEqual([[id, 'LOADING', 'COMPLETED']]);
		service.model.moveClock(2 * HOUR - 60_000);
		setStatus(id, 'ARCHIVED');
		expect(await changesOf(poller)).toEqual([[id, 'COMPLETED', 'ARCHIVED']]);
		service.model.moveClock(120_000);
		setStatus(id, 'DELETED');
		expect(await changesOf(poller)).toEqual([]);
	});

	it('no longer than Follow For', async () => {
		const id = start(5);
		const parameters = { event: 'uploadStatusChanged', options: { followFor: 1 } };
		const poller = await activated(parameters);
		service.model.moveClock(23 * HOUR);
		setStatus(id, 'PROCESSING');
		expect(await changesOf(poller)).toEqual([[id, 'LOADING', 'PROCESSING']]);
		service.model.moveClock(2 * HOUR);
		setStatus(id, 'FAILED');
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

	it('until they are emitted, though Follow For has ended meanwhile', async () => {
		const ids = [3, 2, 1].map((minutes) => start(minutes));
		const options = { followFor: 1, maxUploadsPerPoll: 1 };
		const poller = await activated({ event: 'uploadFailed', options });
		service.model.moveClock(23.9 * HOUR);
		for (const id of ids) setStatus(id, 'FAILED');
		for (const id of ids) {
			expect(await idsOf(poller)).toEqual([id]);
			service.model.moveClock(HOUR);
		}
	});
});
