/** Engagement > Get Many and Create. Connector > Get Many has the same filter. */
import { readOutput, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeAll);

const TRUE = [true, 'TRUE', 'yes', 1];
const FALSE = [false, 'False', 'no', '0'];

it.each([
	['connector', 'isRefreshable'],
	['engagement', 'dataRefreshEnabled'],
])('the filter Refreshable of %ss understands booleans in any form', async (resource, name) => {
	// One without a value matches neither.
	const body = [...TRUE, ...FALSE, null].map((value, index) => ({
		...{ id: index + 1, Id: index + 1, name: 'a' },
		[name]: value,
	}));
	const count = async (refreshable: string) => {
		service.fail({}, { kind: 'status', status: 200, body });
		const given = { resource, operation: 'getAll', filters: { refreshable } };
		return (await readOutput(service, given)).length;
	};
	expect([await count('Yes'), await count('false')]).toEqual([TRUE.length, FALSE.length]);
});

it('what Custom Body names takes precedence', async () => {
	service.settings.extraBody = ['sme.country'];
	const create = {
		...{ resource: 'engagement', operation: 'create', name: 'Elder & Co' },
		additionalFields: { externalEngagementId: 'A' },
		options: {
			customBody: { sme: { country: 'GB' }, externalEngagementId: 'B' },
		},
	};
	await readOutput(service, create);
	expect(service.requests.at(-1)).toMatchObject({
		body: { sme: { name: 'Elder & Co', country: 'GB' }, externalEngagementId: 'B' },
	});
});
