import { Service } from './service.mts';
import { defaultSettings } from './settings.mts';

const NOON = Date.UTC(2026, 2, 1, 12);

function smallService(): Service {
	const service = new Service();
	const { model } = service;
	model.setClock(NOON);
	model.addConnector({ name: 'online' });
	model.addConnector({ name: 'offline', type: '1' });
	model.addEngagement({ name: 'First Ltd' });
	model.addEngagement({ name: 'Second Ltd', connectorId: '2' });
	return service;
}

describe('filters of the upload list', () => {
	const service = smallService();
	const { model, clientId } = service;
	const at = (minute: number, second = 0) => Date.UTC(2026, 2, 1, 10, minute, second);
	const first = model.addCompletedUpload({ engagementId: 1, completedAt: at(10) });
	const second = model.addCompletedUpload({ engagementId: 2, completedAt: at(20) });
	const third = model.addCompletedUpload({ engagementId: 1, completedAt: at(15) });
	const open = model.startUpload(2, 'offline');
	const ids = (query: string, path = `/v1/clients/${clientId}/uploads`) => {
		const { body } = service.ask('GET', `${path}?${query}`);
		const all = [first, second, third, open];
		const text = JSON.stringify(body);
		return all
			.map(({ uploadId }, index) => ({ name: index + 1, place: text.indexOf(uploadId) }))
			.filter(({ place }) => place >= 0)
			.sort((a, b) => a.place - b.place)
			.map(({ name }) => name);
	};

	it.each([
		['engagementId=1', [1, 3]],
		['engagementId=1,2', [1, 2, 3, 4]],
		[`uploadId=${second.uploadId}`, [2]],
		['completedDateFrom=2026-03-01T10:14:59', [2, 3]],
		['completedDateFrom=2026-03-01T10:15:00', [2]],
		['completedDateTo=2026-03-01T10:15:00', [1, 3]],
		['createdDateFrom=2026-03-01T10:14:30', [2, 4]],
		['createdDateTo=2026-03-01T10:14:30', [1, 3]],
		['orderBy=-completionDate', [2, 3, 1, 4]],
		['orderBy=-engagementId,completionDate', [4, 2, 1, 3]],
		['orderBy=engagementName,-completionDate', [3, 1, 2, 4]],
	])('%s', (query, expected) => {
		expect(ids(query)).toEqual(expected);
	});

	it('dates are in the zone of the records or in another, with or without their own second', () => {
		Object.assign(service.settings, { printZone: 'Europe/Berlin' });
		expect(ids('completedDateFrom=2026-03-01T11:15:00')).toEqual([2]);
		Object.assign(service.settings, { filterZone: 'UTC', fromInclusive: true });
		expect(ids('completedDateFrom=2026-03-01T10:15:00')).toEqual([2, 3]);
		Object.assign(service.settings, defaultSettings());
	});

	it('by connector, only what the engagement uploaded through it', () => {
		const path = (id: number, name: string) => `/v1/engagements/${id}/connectors/${name}/uploads`;
		expect(ids('size=10', path(1, 'online'))).toEqual([1, 3]);
		expect(ids('size=10', path(1, 'offline'))).toEqual([]);
		expect(ids('engagementId=2', path(1, 'online'))).toEqual([]);
	});

	it('the last upload is the newest one, whatever its status', () => {
		const last = `/v1/clients/${clientId}/lastUploads`;
		expect(ids('engagementIds=1,2,99', last)).toEqual([3, 4]);
		service.settings.strictLastUploads = true;
		expect(service.ask('GET', `${last}?engagementIds=1,99`)).toMatchObject({ status: 404 });
	});
});
