import { Service } from './service.mts';

const START = Date.UTC(2026, 2, 1, 12);

function smallService(): Service {
	const service = new Service();
	const { model } = service;
	model.setClock(START);
	model.addConnector({ name: 'online' });
	model.addConnector({ name: 'offline', type: '1' });
	model.addEngagement();
	return service;
}

function lastStatus({ model }: Service): [status: string | undefined, completedAt: unknown] {
	const upload = model.lastUpload(1);
	return [upload?.status, upload?.completedAt];
}

describe('creating an engagement', () => {
	it('returns the flat record, and lists the engagement from then on', () => {
		const service = smallService();
		const url = `/v1/clients/${service.clientId}/engagements`;
		const created = service.ask('POST', `${url}?usePortal=true`, {
			sme: { name: 'New Ltd' },
			externalEngagementId: 'N-1',
			firstName: 'Ada',
			lastName: 'Lund',
			email: 'ada@example.com',
		});
		expect(created).toMatchObject({
			status: 200,
			body: { Id: '2', name: 'New Ltd', firstName: 'Ada', email: 'ada@example.com', type: 'AUDIT' },
		});
		const listed = service.ask('GET', `${url}?externalEngagementId=N-1`).body;
		const owner = { firstName: 'Ada', email: 'ada@example.com' };
		expect(listed).toMatchObject({ content: [{ Id: 2, name: 'New Ltd', Owner: owner }] });
	});

	it('does not require external IDs to be unique', () => {
		const service = smallService();
		const url = `/v1/clients/${service.clientId}/engagements`;
		const body = { sme: { name: 'Twin Ltd' }, externalEngagementId: 'T' };
		service.ask('POST', url, body);
		service.ask('POST', url, body);
		const listed = service.ask('GET', `${url}?externalEngagementId=T`).body;
		expect(listed).toMatchObject({ content: [{ Id: 2 }, { Id: 3 }], totalElements: 2 });
	});
});

describe('starting an upload', () => {
	it('sends the customer to a download or a login page', () => {
		const service = smallService();
		service.settings.clientUrlField = 'acmeClientUrl';
		const start = (name: string) =>
			service.ask('POST', `/v1/engagements/1/connectors/${name}/upload?scopeName=Full`).body;
		const address = expect.stringMatching(/^https:/);
		expect(start('offline')).toMatchObject({ type: 'DOWNLOAD', acmeClientUrl: address });
		expect(start('online')).toMatchObject({ type: 'REDIRECT', redirectUrl: address });
	});

	it('goes through its steps as the clock runs', () => {
		const service = smallService();
		service.ask('POST', '/v1/engagements/1/connectors/online/upload');
		const { uploadId } = service.model.lastUpload(1) ?? { uploadId: '' };
		const steps = () => {
			const url = `/v1/workflows/engagements/1/uploads/${uploadId}`;
			const { status, steps: list } = Object(service.ask('GET', url).body);
			return [status, ...list.map((step: { status: string }) => step.status)];
		};
		const [waiting, done] = ['PENDING', 'COMPLETED'];
		expect(steps()).toEqual(['LOADING', 'LOADING', waiting, waiting, waiting, waiting]);
		service.model.moveClock(1300);
		expect(steps()).toEqual(['PROCESSING', done, done, 'PROCESSING', waiting, waiting]);
		expect(lastStatus(service)).toEqual(['PROCESSING', null]);
		service.model.moveClock(1700);
		expect(steps()).toEqual([done, done, done, done, done, done]);
		expect(lastStatus(service)).toEqual([done, START + 3000]);
	});

	it('stays open if uploads take forever, until it is ended explicitly', () => {
		const service = smallService();
		service.settings.uploadDurationMs = Infinity;
		const { uploadId } = service.model.startUpload(1, 'online');
		service.model.moveClock(1e9);
		expect(lastStatus(service)).toEqual(['LOADING', null]);
		service.model.failUpload(uploadId, 'ABORTED');
		expect(lastStatus(service)).toEqual(['ABORTED', null]);
	});

	it('is not completed again by the clock once it was ended explicitly', () => {
		const service = smallService();
		const { uploadId } = service.model.startUpload(1, 'online');
		service.model.completeUpload(uploadId, START + 5);
		service.model.moveClock(60_000);
		expect(lastStatus(service)).toEqual(['COMPLETED', START + 5]);
	});
});

describe('a data refresh', () => {
	const url = '/v1/engagements/1/connectors/online/refresh';

	it('starts a new upload that completes', () => {
		const service = smallService();
		expect(service.ask('POST', url).body).toEqual({ action: 'No Action Required', url: 'null' });
		service.model.moveClock(3000);
		expect(lastStatus(service)).toEqual(['COMPLETED', START + 3000]);
	});

	it('can fail, for all engagements or for one', () => {
		const service = smallService();
		service.model.refreshOutcomes.set(1, 'fails');
		service.settings.nullUrlAsText = false;
		expect(service.ask('POST', url, {}).body).toEqual({ action: 'No Action Required', url: null });
		service.model.moveClock(3000);
		expect(lastStatus(service)).toEqual(['FAILED', null]);
	});

	it('can require the customer first, and then starts no upload', () => {
		const service = smallService();
		service.settings.refreshOutcome = 'actionRequired';
		const body = { action: 'Authentication Required', url: expect.stringMatching(/^https:/) };
		expect(service.ask('POST', url).body).toEqual(body);
		expect(service.model.lastUpload(1)).toBeUndefined();
	});
});

describe('a schedule', () => {
	const day = 24 * 3_600_000;
	const put = (service: Service, scheduleFrequency: string, scheduleStartDate: string) =>
		service.ask('POST', `/v1/clients/${service.clientId}/engagements/1/schedule`, {
			scheduleFrequency,
			scheduleStartDate,
		}).body;
	const days = ({ model }: Service) =>
		model.uploads.all.map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 13));

	it('starts uploads at its frequency, from its first day', () => {
		const service = smallService();
		const answer = put(service, '3', '2026-03-05');
		expect(answer).toEqual({ action: 'NO_ACTION_REQUIRED', url: null });
		service.model.moveClock(20 * day);
		expect(days(service)).toEqual(['2026-03-05T00', '2026-03-12T00', '2026-03-19T00']);
		expect(lastStatus(service)[0]).toBe('COMPLETED');
	});

	it('that starts today begins at once, and continues at midnight', () => {
		const service = smallService();
		put(service, '4', '2026-03-01');
		service.model.moveClock(2 * day);
		expect(days(service)).toEqual(['2026-03-01T12', '2026-03-02T00', '2026-03-03T00']);
	});

	it('counts months from its first day', () => {
		const service = smallService();
		put(service, '2', '2026-01-31');
		service.model.moveClock(70 * day);
		expect(days(service)).toEqual(['2026-03-31T00', '2026-04-30T00']);
	});

	it('replaces the previous one, and code 0 ends it', () => {
		const service = smallService();
		put(service, '4', '2026-03-10');
		put(service, '4', '2026-03-12');
		service.model.moveClock(12 * day);
		expect(days(service)).toEqual(['2026-03-12T00', '2026-03-13T00']);
		put(service, '0', '2026-03-13');
		service.model.moveClock(30 * day);
		expect(days(service)).toHaveLength(2);
	});
});

describe('an upload that is listed late', () => {
	it('is shown as in progress until then', () => {
		const service = smallService();
		const completedAt = START - 1000;
		service.model.addCompletedUpload({ completedAt, listedAt: START + 1000 });
		expect(lastStatus(service)).toEqual(['PROCESSING', null]);
		service.model.moveClock(1000);
		expect(lastStatus(service)).toEqual(['COMPLETED', completedAt]);
	});
});
