/** Company > Get, where there are no company details. */
import { errorText, run, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeAll);

it.each(['empty', 'nulls', 204] as const)(
	'none (%s) may mean that the customer has not shared data yet',
	async (withoutCompany) => {
		Object.assign(service.settings, { withoutCompany });
		const given = { resource: 'company', operation: 'get', engagementId: 1003 };
		expect(errorText(await run(service, given))).toMatch(
			/engagement 1003: .* is empty.* The customer may not have shared data yet/s,
		);
	},
);
