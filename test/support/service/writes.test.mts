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
