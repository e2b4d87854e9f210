import { useService } from '../engine/runs.mts';
import { startService, type SimulatedService } from '../service/http.mts';

/** The time at which the small world stands still. */
export const NOW = Date.UTC(2026, 2, 1, 10, 15, 30);

/**
 * A service with an online and an offline connector, engagements 1001 to 1003 (the last without an
 * upload), one user and two completed uploads, and a stopped clock.
 */
export async function smallWorld(): Promise<SimulatedService> {
	const service = await startService();
	const { model } = service;
	model.clock.set(NOW);
	model.addConnector({ id: '11', name: 'cloudbooks', title: 'Cloud Books' });
	model.addConnector({ id: '12', name: 'desk-ledger', title: 'Desk Ledger', type: '1' });
	model.addConnector({ id: '13', name: 'paper', title: 'Paper', isRefreshable: false });
	const robin = { firstName: 'Robin', lastName: 'Field', email: 'robin.field@example.com' };
	model.addUser({ ...robin, lastLoginDate: NOW - 1000 });
	model.addEngagement({ id: 1001, externalEngagementId: 'CRM-1', name: 'Ashby Farms' });
	model.addEngagement({ id: 1002, externalEngagementId: 'CRM-2', name: 'Bramley Ltd' });
	model.addEngagement({ id: 1003, externalEngagementId: 'CRM-3', name: 'Corfe Group' });
	for (const engagementId of [1001, 1002])
		model.addCompletedUpload({ engagementId, connectorName: 'cloudbooks' });
	return service;
}

/** Starts a small world before each test or before all of them: `service` of engine/runs.mts. */
export const useSmallWorld = (before: typeof beforeEach): void => useService(before, smallWorld);
