import { forgetProcess } from '../../nodes/EngagementUploads/trigger/store.ts';
import type { SimulatedService } from '../support/service/http.mts';
import type { CompletedUpload } from '../support/service/model.mts';
import { completeUpload, idsOf, pollerOf, startSmallService } from '../support/polls.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let service: SimulatedService;

beforeEach(async () => {
	service = await startSmallService();
	service.model.addConnector({ name: 'ledgerpro' });
	for (const id of [2, 3]) service.model.addEngagement({ id });
});
afterEach(async () => await service.close());

const complete = (given: CompletedUpload) => completeUpload(service, 0, given);

describe('filters', () => {
	it.each([
		[{ engagementIds: '1, 3' }, [0, 2]],
		[{ engagementIds: [2] }, [1]],
		[{ connectorNames: 'LedgerPro' }, [1, 2]],
		[{ uploadStatuses: 'failed' }, [2]],
		[{ uploadTypes: 'full', connectorNames: 'cloudbooks' }, [0]],
		[{ uploadStatuses: 'ABORTED' }, []],
		[{ connectorNames: '' }, [0, 1, 2]],
	])('%j', async (filters, expected) => {
		const ids = [
			completeUpload(service, 3, { engagementId: 1, connectorName: 'cloudbooks' }),
			completeUpload(service, 2, { engagementId: 2, connectorName: 'ledgerpro' }),
			completeUpload(service, 1, { engagementId: 3, connectorName: 'ledgerpro', status: 'FAILED' }),
		];
		const poller = pollerOf(service, { startFrom: 'beginning', filters });
		expect(await idsOf(poller)).toEqual(expected.map((index) => ids[index]));
	});

	it('when changed, neither replay what the old ones left out nor lose what completes then', async () => {
		const poller = pollerOf(service, { filters: { connectorNames: 'cloudbooks' } });
		await poller.poll();
		complete({ connectorName: 'ledgerpro' });
		const taken = complete({ connectorName: 'cloudbooks' });
		expect(await idsOf(poller)).toEqual([taken]);
		poller.change({ filters: { connectorNames: 'ledgerpro' } });
		complete({ connectorName: 'cloudbooks' });
		const next = complete({ connectorName: 'ledgerpro' });
		expect(await idsOf(poller)).toEqual([next]);
		expect(await idsOf(poller)).toEqual([]);
	});

	it('when changed, do not replay what was left out since n8n last saved the state', async () => {
		const poller = pollerOf(service, { filters: { connectorNames: 'cloudbooks' } });
		await poller.poll();
		for (let poll = 0; poll < 3; poll++) {
			complete({ connectorName: 'ledgerpro' });
			expect(await idsOf(poller)).toEqual([]);
			service.model.moveClock(HOUR);
		}
		poller.change({ filters: { connectorNames: 'ledgerpro' } });
		const next = complete({ connectorName: 'ledgerpro' });
		expect(await idsOf(poller)).toEqual([next]);
		expect(await idsOf(poller)).toEqual([]);
	});

	it('when changed during a restart of n8n, do not replay either', async () => {
		const poller = pollerOf(service, { filters: { connectorNames: 'cloudbooks' } });
		await poller.poll();
		complete({ connectorName: 'ledgerpro' });
		expect(await idsOf(poller)).toEqual([]);
		forgetProcess();
		poller.change({ filters: { connectorNames: 'ledgerpro' } });
		expect(await idsOf(poller)).toEqual([]);
		service.model.moveClock(MINUTE);
		const next = complete({ connectorName: 'ledgerpro' });
		expect(await idsOf(poller)).toEqual([next]);
	});

	it('emit an upload whose status changes within the look-back', async () => {
		const poller = pollerOf(service, { filters: { uploadStatuses: 'COMPLETED' } });
		await poller.poll();
		const id = complete({ status: 'PROCESSING' });
		expect(await idsOf(poller)).toEqual([]);
		service.model.updateUpload(id, { status: 'COMPLETED' });
		expect(await idsOf(poller)).toEqual([id]);
	});
});
