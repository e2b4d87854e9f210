/** How long uploads are followed, and what the service may answer when they are asked for. */
import type { PollerOptions } from '../support/polls.mts';
import type { Fault } from '../support/service/faults.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import {
	activated,
	pollChanges,
	complete,
	listIds,
	modes,
	service,
	setStatus,
	start,
	useSmallService,
} from './polling.mts';

const HOUR = 3_600_000;

useVirtualTime();

useSmallService(() => {
	service.model.addEngagement({ id: 2 });
});

/** A trigger, and an upload that is older than the window and has not ended. */
async function following(options: object = {}, mode: PollerOptions = {}) {
	const id = start(24 * 60);
	for (let hours = 12; hours > 4; hours--) complete(hours * 60, { engagementId: 2 });
	const parameters = { event: 'uploadFailed', options: { pageSize: 3, ...options } };
	const poller = await activated(parameters, mode);
	complete(0, { engagementId: 2 });
	await poller.poll();
	await poller.poll();
	expect(service.requests.at(-1)?.query.engagementId).toMatch(/\b1\b/);
	return { id, poller };
}

it.each([
	{ how: 'until the look-back has passed after its end', status: 'COMPLETED', hours: 2 },
	{ how: 'no longer than Follow For', status: 'PROCESSING', hours: 24 },
])('an upload is followed $how', async ({ status, hours }) => {
	const id = start();
	const parameters = { event: 'uploadStatusChanged', options: { followFor: 1 } };
	const poller = await activated(parameters);
	if (status === 'COMPLETED') service.model.completeUpload(id);
	else setStatus(id, status);
	expect(await pollChanges(poller)).toEqual([[id, 'LOADING', status]]);
	service.model.moveClock(hours * HOUR - 60_000);
	setStatus(id, 'ARCHIVED');
	expect(await pollChanges(poller)).toEqual([[id, status, 'ARCHIVED']]);
	service.model.moveClock(120_000);
	setStatus(id, 'DELETED');
	expect(await pollChanges(poller)).toEqual([]);
});

const later = { 'retry-after': '3600' };
const answers: Array<[string, Fault]> = [
	['404', { kind: 'status', status: 404 }],
	['500', { kind: 'status', status: 500 }],
	['503 for an hour', { kind: 'status', status: 503, headers: later }],
	['an empty list', { kind: 'raw', body: '{"content":[]}', contentType: 'application/json' }],
	['a web page', { kind: 'html' }],
	['nothing in time', { kind: 'hang' }],
];
const asked = { query: { engagementId: /./ } };

it.each(answers)(
	'one that is answered with %s is not forgotten, and holds up no other, nor their steps',
	async (_, fault) => {
		const { id, poller } = await following({ includeWorkflow: true });
		service.fail(asked, fault, { times: Infinity });
		for (let polls = 0; polls < 3; polls++) {
			service.model.moveClock(HOUR);
			const other = start();
			service.model.updateUpload(other, { status: 'FAILED', engagementId: 2 });
			expect(await listIds(poller)).toEqual([other]);
		}
		service.clearFaults();
		setStatus(id, 'FAILED');
		expect(await listIds(poller)).toEqual([id]);
		expect(await listIds(poller)).toEqual([]);
	},
);

it('one that a filter left out is emitted, although nothing had occurred to it meanwhile', async () => {
	const id = start();
	const poller = await activated({
		event: 'uploadFailed',
		filters: { uploadStatuses: ['FAILED'] },
	});
	for (const status of ['ABORTED', 'PROCESSING']) {
		setStatus(id, status);
		expect(await listIds(poller)).toEqual([]);
	}
	setStatus(id, 'FAILED');
	expect(await listIds(poller)).toEqual([id]);
	expect(await listIds(poller)).toEqual([]);
});

it('a rate limit when followed uploads are asked for keeps back no other, and is an error if nothing is due', async () => {
	const { id, poller } = await following();
	const fault = { kind: 'status', status: 429, headers: later } as const;
	service.fail(asked, fault, { times: Infinity });
	const other = start();
	service.model.updateUpload(other, { status: 'FAILED', engagementId: 2 });
	setStatus(id, 'FAILED');
	expect(await listIds(poller)).toEqual([other]);
	await expect(poller.poll()).rejects.toThrow('429');
	service.clearFaults();
	expect(await listIds(poller)).toEqual([id]);
});

const failures: Array<[string, Fault]> = [
	['a lost connection', { kind: 'reset' }],
	['no response in time', { kind: 'hang' }],
	['a web page', { kind: 'html' }],
	['cut-off JSON', { kind: 'truncated', how: 'json' }],
	['500', { kind: 'status', status: 500 }],
];

describe.each(modes)('requests for followed uploads, %o:', (mode) => {
	it.each(failures)('%s each time is an error if nothing is due', async (_, fault) => {
		const { id, poller } = await following({}, mode);
		service.fail(asked, fault, { times: Infinity });
		await expect(poller.poll()).rejects.toThrow('Could not look for uploads');
		service.clearFaults();
		setStatus(id, 'FAILED');
		expect(await listIds(poller)).toEqual([id]);
	});

	it.each(failures.slice(1, 3))(
		'%s for one of 250 engagements holds up no other',
		async (_, fault) => {
			const ids = Array.from({ length: 250 }, (_each, index) => {
				const engagementId = 100 + index;
				service.model.addEngagement({ id: engagementId });
				const uploadId = complete(24 * 60, { engagementId });
				service.model.updateUpload(uploadId, { status: 'LOADING', completedAt: null });
				return uploadId;
			});
			const { poller } = await following({ pageSize: 500 }, mode);
			service.fail({ query: { engagementId: /\b103\b/ } }, fault, { times: Infinity });
			expect(await listIds(poller)).toEqual([]);
			for (const id of ids) setStatus(id, 'FAILED');
			const others = ids.filter((_id, index) => index !== 3);
			expect((await listIds(poller)).toSorted()).toEqual(others.toSorted());
		},
	);
});
