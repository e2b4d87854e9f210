import { keepUploading, ONGOING_UPLOADS } from './keepUploading.mts';
import { Service } from './service.mts';

const HOUR = 3_600_000;

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

it('continues for days, and some uploads fail and some get stuck', async () => {
	const service = new Service({ sample: true, record: false, settings: ONGOING_UPLOADS });
	const { uploads } = service.model;
	const sample = uploads.all.length;
	const uploading = keepUploading(service);
	await jest.advanceTimersByTimeAsync(48 * HOUR);
	clearInterval(uploading);
	service.model.settle();

	const started = uploads.all.slice(sample);
	const lastDay = started.filter(({ createdAt }) => createdAt > service.model.now - 24 * HOUR);
	const count = (status: string) => lastDay.filter((upload) => upload.status === status).length;
	expect(count('FAILED')).toBeGreaterThan(100);
	expect(count('LOADING')).toBeGreaterThan(10);
	expect(count('COMPLETED')).toBeGreaterThan(1000);
});
