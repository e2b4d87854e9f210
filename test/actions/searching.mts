/** What the tests of the editor's lists share: a service with many engagements, and a search. */
import { CREDENTIAL, credentialOf } from '../support/credentials.mts';
import { searchList } from '../support/engine/lookups.mts';
import { useService } from '../support/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { defaultSettings } from '../support/service/settings.mts';

export const ENGAGEMENTS = 1250;
export let service: SimulatedService;

useService(beforeAll, async () => (service = await startService()));
beforeAll(() => {
	const { model } = service;
	model.addConnector({ id: '1', name: 'quill', title: 'Quill Cloud' });
	model.addConnector({ id: '2', name: 'desk', title: 'Desk Ledger', type: '1' });
	model.addConnector({ id: '3', name: 'alder', title: 'alder' });
	for (let id = 1; id <= ENGAGEMENTS; id += 1) {
		const name = id % 100 === 7 ? `Bakery ${id}` : `Farm ${id}`;
		model.addEngagement({ id, externalEngagementId: `CRM-${id}`, name });
	}
});

beforeEach(() => {
	service.clearFaults();
	Object.assign(service.settings, defaultSettings());
});

export async function search(method: string, filter?: string, paginationToken?: string) {
	service.clearRequests();
	const credentials = { [CREDENTIAL]: credentialOf(service) };
	return await searchList({ credentials, method, filter, paginationToken });
}
