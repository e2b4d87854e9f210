/** How long uploads are followed, and what the service may answer when they are asked for. */
import type { PollerOptions } from '../support/engine/polls.mts';
import type { Fault } from '../support/service/faults.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
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
	service.model.clock.move(hours * HOUR - 60_000);
	setStatus(id, 'ARCHIVED');
	expect(await pollChanges(poller)).toEqual([[id, status, 'ARCHIVED']]);
	service.model.clock.move(120_000);
	setStatus(id, 'DELETED');
	expect(await pollChanges(poller)).toEqual([]);
});

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

const later = { 'retry-after': '3600' };
/** What the service may answer when it is asked for followed uploads, and whether that alone is an error. */
const answers: Array<[answer: string, fault: Fault, isError: boolean]> = [
	['404', { kind: 'status', status: 404 }, false],
	['an empty list', { kind: 'status', status: 200, body: { content: [] } }, false],
	['500', { kind: 'status', status: 500 }, true],
	['503 for an hour', { kind: 'status', status: 503, headers: later }, true],
	['429 for an hour', { kind: 'status', status: 429, headers: later }, true],
	['a web page', { kind: 'html' }, true],
	['cut-off JSON', { kind: 'truncated', how: 'json' }, true],
	['a lost connection', { kind: 'reset' }, true],
	['nothing in time', { kind: 'hang' }, true],
];

describe.each(modes)('requests for followed uploads, %o:', (mode) => {
	it.each(answers)(
		'%s each time holds up no other upload, nor its steps, and no upload is forgotten',
		async (_, fault, isError) => {
			const { id, poller } = await following({ includeWorkflow: true }, mode);
			service.fail({ query: { engagementId: /./ } }, fault, { times: Infinity });
			for (let polls = 0; polls < 3; polls++) {
				service.model.clock.move(HOUR);
				const other = start();
				service.model.updateUpload(other, { status: 'FAILED', engagementId: 2 });
				expect(await listIds(poller)).toEqual([other]);
			}
			// Nothing else is due.
			const quiet = expect(poller.poll());
			if (isError) await quiet.rejects.toThrow('Could not look for uploads');
			else await quiet.resolves.toBeNull();
			service.clearFaults();
			setStatus(id, 'FAILED');
			expect(await listIds(poller)).toEqual([id]);
			expect(await listIds(poller)).toEqual([]);
		},
	);

	it.each<Fault>([{ kind: 'hang' }, { kind: 'html' }])(
		'%j for one of 250 engagements holds up no other',
		async (fault) => {
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
