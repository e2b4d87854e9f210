/** Engagement > Get Many and Create. Connector > Get Many has the same filter. */
import type { IDataObject } from 'n8n-workflow';

import {
	errorText,
	listHints,
	onlyRequest,
	readOutput,
	run,
	service,
} from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeAll);

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

describe('the contact of a new engagement', () => {
	const whole = {
		contactFirstName: 'Ada',
		contactLastName: 'Lund',
		contactEmail: 'ada@example.com',
	};
	const create = async (additionalFields: IDataObject, options: IDataObject = {}) => {
		const given = { resource: 'engagement', operation: 'create', name: 'New' };
		return await run(service, { ...given, additionalFields, options });
	};

	it.each<[IDataObject, IDataObject, message: RegExp]>([
		[{ usePortal: true }, {}, /empty: Contact First Name, Contact Last Name, Contact Email/],
		[
			{ ...whole, contactLastName: ' ', usePortal: 'yes' },
			{},
			/^Use Portal needs a contact, but these fields are empty: Contact Last Name \[item 0\]/,
		],
		[{ contactEmail: 'a@b' }, { customQuery: { usePortal: 1 } }, /empty: Contact First Name, Con/],
		[
			{ contactEmail: 'a@b' },
			{},
			/^The service would drop the contact \(Contact Email\), since Use Portal is not turned on/,
		],
		[
			{ ...whole, usePortal: true },
			{ customQuery: { usePortal: false } },
			/would drop the contact/,
		],
		[{ ...whole, usePassthrough: false }, {}, /would drop the contact/],
	])('is refused: %j, %j', async (additionalFields, options, message) => {
		expect(errorText(await create(additionalFields, options))).toMatch(message);
		expect(service.requests).toEqual([]);
	});

	it.each<[IDataObject, IDataObject]>([
		[{ contactEmail: 'a@b', usePassthrough: true }, {}],
		[whole, { customQuery: { usePortal: true } }],
		[{ contactEmail: 'a@b' }, { customBody: { usePassthrough: true } }],
		[{ usePortal: true }, { customBody: { firstName: 'A', lastName: 'B', email: 'a@b' } }],
	])('is sent: %j, %j', async (additionalFields, options) => {
		const { items, error } = await create(additionalFields, options);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ created: true, email: expect.stringContaining('@') });
	});

	it.each<[what: string, IDataObject, IDataObject]>([
		['Use Portal', { ...whole, usePortal: true }, {}],
		['Custom Query', whole, { customQuery: { usePortal: 'true' } }],
		['Custom Body', {}, { customBody: { usePortal: true } }],
	])('is missed if %s asked for it', async (_what, additionalFields, options) => {
		const body = { Id: '7', name: 'New', email: null };
		service.fail({}, { kind: 'status', status: 200, body });
		expect(listHints(await create(additionalFields, options))).toEqual([
			expect.stringMatching(/^The service returned no contact for engagement 7, .*portal/),
		]);
	});
});
