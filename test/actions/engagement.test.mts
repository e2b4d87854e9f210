/** Engagement > Get Many and Create. Connector > Get Many has the same filter. */
import type { IDataObject } from 'n8n-workflow';

import type { SimulatedService } from '../support/service/http.mts';
import { errorText, onlyRequest, readOutput, run, useService } from '../support/engine/runs.mts';
import { smallWorld } from '../support/world/smallWorld.mts';

let service: SimulatedService;

useService(beforeAll, async () => ({ service } = await smallWorld()));

const TRUE = [true, 'TRUE', 'yes', 1];
const FALSE = [false, 'False', 'no', '0', null];

it.each([
	['connector', 'isRefreshable'],
	['engagement', 'dataRefreshEnabled'],
])('the filter Refreshable of %ss understands booleans in any form', async (resource, name) => {
	const body = [...TRUE, ...FALSE].map((value, index) => ({
		...{ id: index + 1, name: 'a' },
		[name]: value,
	}));
	const count = async (refreshable: string) => {
		service.fail({}, { kind: 'status', status: 200, body });
		const given = { resource, operation: 'getAll', filters: { refreshable } };
		return (await readOutput(service, given)).length;
	};
	expect([await count('Yes'), await count('false')]).toEqual([TRUE.length, FALSE.length]);
});

it.each(['getAll', 'getStatus'])(
	'the filter Refreshable of Engagement > %s fails if no engagement says whether it is',
	async (operation) => {
		const given = { resource: 'engagement', operation, filters: { refreshable: true } };
		const list = async (body: IDataObject[]) => {
			service.fail({}, { kind: 'status', status: 200, body });
			return await run(service, given);
		};
		const silent = [{ Id: 1, dataRefreshEnabled: null }, { Id: 2 }];
		expect(errorText(await list(silent))).toMatch(
			/^The filter Refreshable cannot be applied: .* in dataRefreshEnabled .*\| Remove the filter/,
		);
		expect((await list([])).items).toEqual([]);
		expect((await list([...silent, { Id: 3, dataRefreshEnabled: 'no' }])).items).toEqual([]);
	},
);

it('what Custom Body and Custom Query name takes precedence', async () => {
	service.settings.extraBody = ['sme.country'];
	const create = {
		...{ resource: 'engagement', operation: 'create', name: 'Elder & Co' },
		additionalFields: { externalEngagementId: 'A', usePortal: true },
		options: {
			customBody: { sme: { country: 'GB' }, externalEngagementId: 'B' },
			customQuery: { usePortal: false },
		},
	};
	await readOutput(service, create);
	expect(onlyRequest(service)).toMatchObject({
		query: { usePortal: 'false' },
		body: { sme: { name: 'Elder & Co', country: 'GB' }, externalEngagementId: 'B' },
	});
});
