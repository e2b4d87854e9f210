/** What the service does besides answering and refusing, as far as its documentation says. */
import { Service } from './service.mts';

const service = new Service();
const { model, clientId } = service;
const ada = { firstName: 'Ada', lastName: 'Lund', email: 'ada@example.com' };
model.addConnector();

describe('a new engagement', () => {
	const create = (query: string, body: object) =>
		service.ask('POST', `/v1/clients/${clientId}/engagements${query}`, {
			sme: { name: 'New Ltd' },
			...body,
		}).body;

	it.each([
		['?usePortal=true', ada, ada],
		['', { ...ada, usePassthrough: true }, ada],
		['?usePortal=false', ada, { firstName: null, lastName: null, email: null }],
	])('with the query “%s” and %j has the contact %j, and no connector', (query, body, contact) => {
		const created = create(query, body);
		expect(created).toMatchObject({ ...contact, Id: expect.any(String), connectorId: null });
		expect(created).not.toHaveProperty('Owner');
	});

	it('has the connector of its first completed upload, and is refreshed through it', () => {
		create('', {});
		const { id } = model.engagements.all.at(-1) ?? {};
		if (id === undefined) throw new Error('There is no engagement');
		expect(model.engagements.existing(id).dataRefreshEnabled).toBe(false);
		model.completeUpload(model.startUpload(id, 'connector-1').uploadId);
		const connected = { connectorId: '1', dataRefreshEnabled: true };
		expect(model.engagements.existing(id)).toMatchObject(connected);
	});
});
