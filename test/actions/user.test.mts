/** User > Get Many. */
import type { IDataObject } from 'n8n-workflow';

import { readOutput, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeAll);

const parameters = (filters: IDataObject) => ({ resource: 'user', operation: 'getAll', filters });

/** Makes the service send users, whose IDs count from 1, once. */
function send(...users: object[]): void {
	const body = users.map((user, index) => ({ id: index + 1, email: 'a@example.com', ...user }));
	service.fail({}, { kind: 'status', status: 200, body });
}

it.each<[IDataObject, ids: number[]]>([
	[{ userType: 'sme' }, [1, 2]],
	[{ userType: 'Staff' }, [3, 4]],
	[{ statuses: 'active, Inviting' }, [1, 3, 5]],
	[{ statuses: ['DISABLED'], userType: 'staff' }, [4]],
])('%j matches %j', async (filters, ids) => {
	send(
		{ userType: 'SME', statusCode: 'active' },
		{ userType: 'sme', statusCode: 'DISABLED' },
		{ userType: 'Client (Staff)', statusCode: 'INVITING' },
		{ userType: 'CLIENT', statusCode: 'DISABLED' },
		{ userType: null, statusCode: 'ACTIVE' },
		{},
	);
	expect((await readOutput(service, parameters(filters))).map(({ id }) => id)).toEqual(ids);
});
