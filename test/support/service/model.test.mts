import { Agenda } from './agenda.mts';
import { ServiceModel } from './model.mts';
import { Service } from './service.mts';
import { defaultSettings } from './settings.mts';

describe('the agenda', () => {
	it('runs what is due in order of time, and in order of entry if times are equal', () => {
		const agenda = new Agenda();
		const done: string[] = [];
		const note = (what: string) => (at: number) => void done.push(`${what} ${at}`);
		agenda.add(20, note('late'));
		agenda.add(10, note('first'));
		agenda.add(10, note('second'));
		agenda.add(5, (at) => agenda.add(at + 1, note('follow-up')));
		agenda.add(21, note('not yet'));
		agenda.runUntil(20);
		expect(done).toEqual(['follow-up 6', 'first 10', 'second 10', 'late 20']);
	});
});

describe('the model', () => {
	it('assigns unused IDs, whatever IDs exist', () => {
		const model = new ServiceModel(defaultSettings());
		model.addEngagement({ id: 3 });
		model.addEngagement({ id: 2 });
		expect([model.addEngagement().id, model.addEngagement().id]).toEqual([4, 5]);
		expect(() => model.addEngagement({ id: 4 })).toThrow('Engagement 4 already exists');
	});

	it('finds an engagement by its new external ID, no longer by the old one', () => {
		const service = new Service();
		service.model.addEngagement({ externalEngagementId: 'old' });
		service.model.updateEngagement(1, { externalEngagementId: 'new' });
		const found = (externalId: string) =>
			service.ask(
				'GET',
				`/v1/clients/${service.clientId}/engagements?externalEngagementId=${externalId}`,
			);
		expect(found('old').body).toMatchObject({ content: [] });
		expect(found('new').body).toMatchObject({ content: [{ Id: 1 }] });
	});

	it('lists an upload by its new completion date once that has changed', () => {
		const service = new Service();
		const at = (day: number) => Date.UTC(2026, 2, day);
		const { uploadId } = service.model.addCompletedUpload({ completedAt: at(1) });
		service.model.addCompletedUpload({ completedAt: at(1) + 1000 });
		const since = () =>
			service.ask(
				'GET',
				`/v1/clients/${service.clientId}/uploads?completedDateFrom=2026-03-02T00:00:00`,
			).body;
		expect(since()).toMatchObject({ content: [] });
		service.model.updateUpload(uploadId, { completedAt: at(3), status: 'CHECKED' });
		expect(since()).toMatchObject({ content: [{ uploadId, uploadStatus: 'CHECKED' }] });
	});

	it('rejects what would make it inconsistent', () => {
		const model = new ServiceModel(defaultSettings());
		expect(() => model.startUpload(1, 'online')).toThrow('There is no engagement 1');
		expect(() => model.completeUpload('x')).toThrow('There is no upload x');
	});

	it('has the same sample data every time', () => {
		const [a, b] = [new Service({ sample: true }), new Service({ sample: true })];
		const names = ({ model }: Service) => model.engagements.all.map(({ name }) => name);
		expect(names(a)).toEqual(names(b));
		expect(a.model.connectors).toHaveLength(8);
		const { now, uploads } = a.model;
		const oldest = uploads.inCompletionOrder()[0]?.completedAt ?? 0;
		expect((now - oldest) / 86_400_000).toBeCloseTo(90, -1);
	});
});
