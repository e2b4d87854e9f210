/** A sync and monthly reports with Get Many: periods that touch, whatever the service means by From and To. */
import { readOutput, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeEach);

const BORDER = '2026-02-01T00:00:00Z';

it.each([{ boundsInclusive: false }, { boundsInclusive: true }])(
	'each upload is in one of two periods that touch: %j',
	async (meaning) => {
		Object.assign(service.settings, meaning, { printZone: null });
		const uploads = [-1000, -1, 0, 1, 1000].map((offset) => {
			const completedAt = Date.parse(BORDER) + offset;
			return service.model.addCompletedUpload({ engagementId: 1003, completedAt }).uploadId;
		});
		const read = async (completedDateFrom: string, completedDateTo: string) => {
			const filters = { completedDateFrom, completedDateTo };
			const list = { resource: 'upload', operation: 'getAll', returnAll: true, filters };
			return (await readOutput(service, list)).map(({ uploadId }) => uploadId);
		};
		expect(await read('2026-01-31T00:00Z', BORDER)).toEqual(uploads.slice(0, 2));
		// A day in To ends with the day.
		expect(await read('2026-01-31', '2026-01-31')).toEqual(uploads.slice(0, 2));
		expect(await read(BORDER, '2026-02-01T12:00Z')).toEqual(uploads.slice(2));
	},
);
