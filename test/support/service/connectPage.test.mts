import { Service } from './service.mts';

const HOUR = 3_600_000;
const NAME = '<b>Ashby</b> & Sons';

function makeService(): { service: Service; open: (link: unknown) => string } {
	const service = new Service();
	service.model.addConnector({ name: 'cloudbooks' });
	service.model.addEngagement({ id: 1001, name: NAME });
	const open = (link: unknown) => String(service.ask('GET', new URL(String(link)).pathname).body);
	return { service, open };
}

test('an upload waits until the customer has opened the link, and then goes on', () => {
	const { service, open } = makeService();
	const { model } = service;
	const { body } = service.ask('POST', '/v1/engagements/1001/connectors/cloudbooks/upload');
	model.moveClock(HOUR);
	expect(model.lastUpload(1001)?.status).toBe('LOADING');
	const page = open(Object(body).redirectUrl);
	expect(page).toContain('&#60;b&#62;Ashby&#60;/b&#62; &#38; Sons');
	expect(page).not.toContain(NAME);
	expect(model.lastUpload(1001)?.status).toBe('LOADING');
	model.moveClock(HOUR);
	const completed = model.lastUpload(1001)?.completedAt;
	expect(completed).toBeGreaterThan(0);
	open(Object(body).redirectUrl);
	model.moveClock(HOUR);
	expect(model.lastUpload(1001)?.completedAt).toBe(completed);
});

test('a customer signs in to a connector never used before, and where refreshes are off', () => {
	const { service } = makeService();
	const { model } = service;
	model.addConnector({ name: 'otherbooks' });
	model.addCompletedUpload({ engagementId: 1001, connectorName: 'cloudbooks' });
	const refresh = (connector: string) =>
		service.ask('POST', `/v1/engagements/1001/connectors/${connector}/refresh`).body;
	const signIn = { action: 'Authentication Required', url: expect.stringContaining('/1001') };
	expect(refresh('otherbooks')).toEqual(signIn);
	expect(refresh('cloudbooks')).toMatchObject({ action: 'No Action Required' });
	model.updateEngagement(1001, { dataRefreshEnabled: false });
	expect(refresh('cloudbooks')).toEqual(signIn);
});

test('a customer who must sign in again does so by opening the link', () => {
	const { service, open } = makeService();
	service.model.refreshOutcomes.set(1001, 'actionRequired');
	const refresh = () =>
		Object(service.ask('POST', '/v1/engagements/1001/connectors/cloudbooks/refresh').body);
	open(refresh().url);
	expect(refresh()).toMatchObject({ action: 'No Action Required' });
});

test('a link that nobody was sent leads nowhere', () => {
	const { service } = makeService();
	expect(service.ask('GET', '/authorise/1002')).toMatchObject({ status: 404 });
});
