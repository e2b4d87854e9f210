import { completeMany, drain, service, trigger, useSmallService } from './polling.mts';

const UPLOADS = 12;

let ids: string[];
useSmallService(() => {
	ids = completeMany(UPLOADS, 1000);
});

/** Runs a function once, after a page of uploads has been sent. */
function afterPage(page: number, happens: () => void): void {
	const handle = service.handle.bind(service);
	let done = false;
	service.handle = (request) => {
		const outcome = handle(request);
		if (!done && request.path.endsWith('/uploads') && request.query.page === String(page)) {
			done = true;
			happens();
		}
		return outcome;
	};
}

const changes = {
	'gets another date': { completedAt: Date.UTC(2026, 5, 15, 10) },
	'is no longer completed': { completedAt: null, status: 'PROCESSING' },
};

describe.each(Object.entries(changes))('an upload that %s while pages are read', (_, change) => {
	it.each([0, 2])('hides none of the others, after page %i', async (page) => {
		const [first = ''] = ids;
		afterPage(page, () => service.model.updateUpload(first, change));
		const poller = trigger({ startFrom: 'beginning', options: { pageSize: 2 } });
		const emitted = (await drain(poller)).flat();
		expect(emitted).toEqual(expect.arrayContaining(ids.slice(1)));
		expect(new Set(emitted).size).toBe(emitted.length);
	});
});

it('an upload that slips during the first poll at a service with small pages is not new', async () => {
	const listed = completeMany(6);
	service.settings.maxPageSize = 3;
	const change = changes['is no longer completed'];
	afterPage(0, () => service.model.updateUpload(listed.at(-1) ?? '', change));
	const poller = trigger();
	expect(await drain(poller)).toEqual([]);
	expect(await drain(poller)).toEqual([]);
});
