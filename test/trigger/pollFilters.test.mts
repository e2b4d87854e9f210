import { forgetProcess } from '../../nodes/EngagementUploads/trigger/store.ts';
import type { SimulatedService } from '../support/service/http.mts';
import type { CompletedUpload } from '../support/service/records.mts';
import { completeUpload, idsOf, pollerOf, startSmallService } from '../support/polls.mts';

const HOUR = 3_600_000;

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
		[{ uploadStatuses: 'Archived' }, [2]],
		[{ uploadTypes: 'full', connectorNames: 'cloudbooks' }, [0]],
		[{ uploadStatuses: 'LOADING' }, []],
		[{ connectorNames: '' }, [0, 1, 2]],
	])('%j', async (filters, expected) => {
		const ids = [
			completeUpload(service, 3, { engagementId: 1, connectorName: 'cloudbooks' }),
			completeUpload(service, 2, { engagementId: 2, connectorName: 'ledgerpro' }),
			completeUpload(service, 1, {
				engagementId: 3,
				connectorName: 'ledgerpro',
				status: 'ARCHIVED',
			}),
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

	it('when widened while n8n restarts, lose nothing that completes before a poll succeeds', async () => {
		const poller = pollerOf(service, { filters: { connectorNames: 'cloudbooks' } });
		await poller.poll();
		const first = complete({ connectorName: 'cloudbooks' });
		expect(await idsOf(poller)).toEqual([first]);
		forgetProcess();
		poller.change({});
		const ids: string[] = [];
		for (let polls = 0; polls < 3; polls++) {
			service.model.moveClock(HOUR);
			ids.push(complete({ connectorName: 'ledgerpro' }), complete({ connectorName: 'cloudbooks' }));
			service.fail({ path: /uploads$/ }, { kind: 'status', status: 403 });
			await expect(poller.poll()).rejects.toThrow('403');
		}
		expect((await idsOf(poller)).toSorted()).toEqual(ids.toSorted());
		expect(await idsOf(poller)).toEqual([]);
	});

	it('find connectors by title or ID, and reject unknown ones when the workflow is published', async () => {
		const [connector] = service.model.connectors;
		const id = completeUpload(service, 3, { connectorName: connector?.name });
		const filters = { connectorNames: `0${connector?.id}.0` };
		expect(await idsOf(pollerOf(service, { startFrom: 'beginning', filters }))).toEqual([id]);
		const unknown = { filters: { connectorNames: 'mossbooks' } };
		await expect(pollerOf(service, unknown).poll()).rejects.toThrow(
			'“mossbooks” is not a connector',
		);
		const test = pollerOf(service, unknown, { mode: 'manual' });
		await expect(test.poll()).rejects.toThrow('“mossbooks” is not a connector');
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
