import { Service } from './service.mts';

const NOON = Date.UTC(2026, 2, 1, 12);

function smallService(): Service {
	const service = new Service();
	const { model } = service;
	model.setClock(NOON);
	model.addConnector({ name: 'online', title: 'Online Books', version: '2.1' });
	model.addConnector({ name: 'offline', type: '1' });
	model.addUser({ firstName: 'Kim' });
	model.addEngagement({ name: 'First Ltd', externalEngagementId: 'A-1' });
	model.addEngagement({ name: 'Second Ltd', externalEngagementId: 'A-2', connectorId: '2' });
	return service;
}

describe('documented records', () => {
	const service = smallService();
	const { model, clientId } = service;
	const { uploadId } = model.addCompletedUpload({ engagementId: 1, completedAt: NOON - 1000 });
	const client = `/v1/clients/${clientId}`;
	const text = expect.any(String);
	const number = expect.any(Number);
	const flag = expect.any(Boolean);
	const records: Array<[what: string, url: string, record: object]> = [
		[
			'an engagement',
			`${client}/engagements?externalEngagementId=A-1`,
			{
				Id: 1,
				externalEngagementId: 'A-1',
				clientId,
				relationshipManager: text,
				Owner: { firstName: text, lastName: text, email: text, phone: text, title: text },
				connectorId: 1,
				name: 'First Ltd',
				status: text,
				Sme: { name: text },
				type: text,
				locale: text,
				createdAt: '2026-03-01T12:00:00',
				reconciliationEnabled: flag,
				dataRefreshEnabled: flag,
			},
		],
		[
			'an upload',
			`${client}/uploads`,
			{
				uploadId,
				uploadStatus: 'COMPLETED',
				clientId,
				engagementId: 1,
				contactId: text,
				creationDate: '2026-03-01T11:58:59',
				completionDate: '2026-03-01T11:59:59',
				connectorName: 'online',
				connectorVersion: '2.1',
				active: true,
				uploadType: text,
				externalEngagementId: 'A-1',
				engagementName: 'First Ltd',
				smeId: number,
				smeName: text,
			},
		],
		[
			'a last upload',
			`${client}/lastUploads?engagementIds=1,2`,
			{
				uploadId,
				status: 'COMPLETED',
				resellerId: text,
				clientId,
				smeId: number,
				smeName: text,
				engagementId: 1,
				contactId: text,
				creationDate: '2026-03-01T11:58:59',
				completionDate: '2026-03-01T11:59:59',
				connectorName: 'online',
				connectorVersion: '2.1',
				active: true,
				uploadType: text,
				withMemo: false,
				memo: null,
				content: null,
			},
		],
		[
			'a user',
			`${client}/users`,
			{
				firstName: 'Kim',
				lastName: text,
				email: text,
				phone: number,
				title: text,
				resellerId: text,
				roleId: number,
				profiles: [{ name: text, description: text, key: text }],
				ssoId: null,
				id: 1,
				status: 1,
				createdAt: NOON,
				lastLoginDate: null,
				statusCode: 'ACTIVE',
				clientId,
				resellerUuid: text,
				clientUuid: clientId,
				userType: text,
			},
		],
	];

	it.each(records)('%s has the documented fields, and no others', (_what, url, record) => {
		expect(service.ask('GET', url)).toMatchObject({ status: 200 });
		expect(service.ask('GET', url).body).toEqual(expect.objectContaining({ content: [record] }));
	});

	it('connectors have their type and scopes', () => {
		const { body } = service.ask('GET', `${client}/connectors`);
		const documented = { id: text, description: text, title: text, scopes: ['Full', 'Collateral'] };
		expect(body).toEqual({
			content: [
				{ ...documented, name: 'online', title: 'Online Books', type: '0', isRefreshable: true },
				{ ...documented, name: 'offline', type: '1', isRefreshable: false },
			],
		});
	});

	it('company details are the given texts, and generated otherwise', () => {
		model.companies.set(1, { townCity: 'Leeds' });
		const { body } = service.ask('GET', '/v1/engagements/1/companyDetails');
		expect(body).toMatchObject({ name: 'First Ltd', townCity: 'Leeds', currencyIso: 'GBP' });
		expect(Object.keys(Object(body))).toHaveLength(16);
	});

	it('periods are months by default, and there are none without an upload', () => {
		const months = service.ask('GET', '/v1/engagements/1/periods/').body;
		const content = expect.arrayContaining([
			{
				uploadId,
				yearId: '2026',
				periodId: '2026-02',
				name: 'February 2026',
				startDate: '2026-02-01',
				endDate: '2026-02-28',
				periodNo: 2,
			},
		]);
		expect(months).toEqual({ content });
		expect(service.ask('GET', '/v1/engagements/2/periods/').body).toEqual({ content: [] });
	});

	it('a workflow has its steps', () => {
		const url = `/v1/workflows/engagements/1/uploads/${uploadId}`;
		const step = { stepId: number, created: text, started: text, lastUpdate: text };
		expect(service.ask('GET', url).body).toEqual({
			uploadId,
			created: '2026-03-01T11:58:59',
			started: '2026-03-01T11:58:59',
			clientId,
			engagementId: 1,
			connector: 'online',
			smeId: number,
			userId: number,
			status: 'COMPLETED',
			lastUpdate: '2026-03-01T11:59:59',
			usePassthrough: false,
			steps: ['Collect', 'Transfer', 'Validate', 'Standardise', 'Store'].map((name, index) => ({
				...step,
				status: 'COMPLETED',
				name,
				sorting: index + 1,
			})),
		});
	});

	it('a workflow is found under its own engagement only', () => {
		const url = `/v1/workflows/engagements/2/uploads/${uploadId}`;
		expect(service.ask('GET', url)).toMatchObject({ status: 404 });
	});
});

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
		['size=10', [1, 2, 3, 4]],
		['engagementId=1', [1, 3]],
		['engagementId=1,2', [1, 2, 3, 4]],
		['engagementId=7', []],
		[`uploadId=${second.uploadId}`, [2]],
		['completedDateFrom=2026-03-01T10:14:59', [2, 3]],
		['completedDateFrom=2026-03-01T10:15:00', [2]],
		['completedDateTo=2026-03-01T10:15:00', [1, 3]],
		['completedDateFrom=2026-03-01T10:12:00&completedDateTo=2026-03-01T10:17:00', [3]],
		['createdDateFrom=2026-03-01T10:14:30', [2, 4]],
		['createdDateTo=2026-03-01T10:14:30', [1, 3]],
		['orderBy=-completionDate', [2, 3, 1, 4]],
		['orderBy=completionDate', [4, 1, 3, 2]],
		['orderBy=-engagementId,completionDate', [4, 2, 1, 3]],
		['orderBy=engagementName,-completionDate', [3, 1, 2, 4]],
	])('%s', (query, expected) => {
		expect(ids(query)).toEqual(expected);
	});

	it('by connector, only what the engagement uploaded through it', () => {
		const path = (id: number, name: string) => `/v1/engagements/${id}/connectors/${name}/uploads`;
		expect(ids('size=10', path(1, 'online'))).toEqual([1, 3]);
		expect(ids('size=10', path(1, 'offline'))).toEqual([]);
		expect(ids('engagementId=2', path(1, 'online'))).toEqual([]);
	});

	it('ignores filters that the settings do not honour', () => {
		const { settings } = service;
		const ignored = { honourOrderBy: false, honourCompletedFrom: false, honourCompletedTo: false };
		const before = { ...settings };
		Object.assign(settings, ignored, { honourEngagementFilter: false });
		const bounds = 'completedDateFrom=2027-01-01T00:00:00&completedDateTo=2020-01-01T00:00:00';
		expect(ids(`${bounds}&engagementId=1&orderBy=-completionDate`)).toEqual([1, 2, 3, 4]);
		Object.assign(settings, before);
	});

	it('the last upload is the newest one, whatever its status', () => {
		const last = `/v1/clients/${clientId}/lastUploads`;
		expect(ids('engagementIds=1,2,99', last)).toEqual([3, 4]);
		service.settings.strictLastUploads = true;
		expect(service.ask('GET', `${last}?engagementIds=1,99`)).toMatchObject({ status: 404 });
	});
});
