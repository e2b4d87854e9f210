/** When the service lists an upload that waits for its customer is undocumented. */
import type { Poller } from '../support/engine/poller.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { activated, listIds, service, useSmallService } from './polling.mts';

useVirtualTime();
useSmallService();

const HOUR = 3_600_000;

const follow = async (event: string): Promise<Poller> => await activated({ event });

it.each(['atStart', 'whenOpened'] as const)(
	'each event occurs once for an upload that is listed %s',
	async (listsUploads) => {
		Object.assign(service.settings, { listsUploads, uploadDurationMs: 60_000 });
		const { model } = service;
		const [started, stuck, completed] = [
			await follow('uploadStarted'),
			await follow('uploadStuck'),
			await follow('uploadCompleted'),
		];
		const poll = async () => ({
			started: await listIds(started),
			stuck: await listIds(stuck),
			completed: await listIds(completed),
		});
		const link = model.requestUpload(1, 'cloudbooks');
		const nothing = { started: [], stuck: [], completed: [] };
		const ids = () => model.uploads.of(1).map(({ uploadId }) => uploadId);
		expect(await poll()).toEqual({ ...nothing, started: ids() });
		expect(ids()).toHaveLength(listsUploads === 'atStart' ? 1 : 0);

		model.clock.move(7 * HOUR);
		expect(await poll()).toEqual({ ...nothing, stuck: ids() });
		model.links.get(link)?.open();
		const isNew = listsUploads === 'whenOpened';
		expect(await poll()).toEqual({ ...nothing, started: isNew ? ids() : [] });
		model.clock.move(HOUR);
		expect(await poll()).toEqual({ ...nothing, completed: ids() });
	},
);
