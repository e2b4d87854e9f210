/** A sync and monthly reports with Get Many, whatever the service means by From and To. */
import { readOutput, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeEach);

const BORDER = Date.UTC(2026, 1, 1);
const meanings = [{ boundsInclusive: false }, { boundsInclusive: true }];

it.each(meanings)('an upload is in exactly one of two periods that touch: %j', async (meaning) => {
	Object.assign(service.settings, meaning, { printZone: null });
	const uploads = [-1000, -500, -1, 0, 1, 500, 1000].map((offset) =>
		service.model.addCompletedUpload({ engagementId: 1003, completedAt: BORDER + offset }),
	);
	const read = async (filters: object) => {
		const list = { resource: 'upload', operation: 'getAll', returnAll: true, filters };
		const ids = (await readOutput(service, list)).map(({ uploadId }) => uploadId);
		return uploads.filter(({ uploadId }) => ids.includes(uploadId)).map((each) => each.uploadId);
	};
	const border = '2026-02-01T00:00:00Z';
	const start = { completedDateFrom: '2026-01-31T00:00:00Z' };
	const before = await read({ ...start, completedDateTo: border });
	const after = await read({ completedDateFrom: border, completedDateTo: '2026-02-01T12:00:00Z' });
	expect([before, after].map((each) => each.length)).toEqual([3, 4]);
	expect([...before, ...after]).toEqual(uploads.map(({ uploadId }) => uploadId));
	// A day in To ends with the day.
	expect(await read({ ...start, completedDateTo: '2026-01-31' })).toEqual(before);
});
