import { setTimeout as sleep } from 'node:timers/promises';

import type { Poller } from '../support/engine/poll.mts';
import { createPoller } from '../support/engine/poll.mts';
import { count } from './report.mts';
import type { Row } from './report.mts';
import type { DemoContext } from './context.mts';
import { DemoFailure } from './context.mts';

const POLL_EVERY_MS = 800;
const BETWEEN_STARTS_MS = 400;
const GIVE_UP_AFTER_MS = 60_000;
const LATE_BY_MS = 10 * 60_000;
/** Engagements of the sample data. */
const UPLOADING = [1008, 1009, 1013, 1006];
const LATE = 1011;

/** Uploads complete in the simulated service while the trigger polls it; each is emitted once. */
export async function showTrigger(context: DemoContext): Promise<void> {
	const { service, report } = context;
	report.heading('Engagement Uploads Trigger, polling every 0.8 seconds');
	const polls = new Polls(context);
	await polls.poll('activation: existing uploads are not emitted');

	const expected = await report.during(
		() => 'starting uploads',
		async () => await startUploads(context),
	);
	report.line(`  ${count(expected.length, 'upload')} started; they complete one after another`);
	await report.during(
		() => 'waiting for the next upload to complete',
		async () => await polls.until(expected.length),
	);

	polls.restart();
	const late = service.model.addCompletedUpload({
		engagementId: LATE,
		completedAt: service.model.now - LATE_BY_MS,
	});
	report.line('  n8n restarts, and the service lists an upload that completed 10 minutes ago');
	await polls.poll('first poll after the restart');
	await polls.poll('nothing new');

	polls.check([...expected, late.uploadId]);
	report.table(polls.emitted);
	report.line(`${count(polls.emitted.length, 'upload')} emitted, each once`);
}

/** Starts uploads at intervals, so that they also complete at intervals. @returns their IDs */
async function startUploads({ service: { model } }: DemoContext): Promise<string[]> {
	const started: string[] = [];
	for (const engagementId of UPLOADING) {
		const connectorId = model.engagements.get(engagementId)?.connectorId;
		const connector = model.connectors.find(({ id }) => id === connectorId);
		if (connector === undefined) {
			throw new DemoFailure(`The sample data has no engagement ${engagementId} with a connector.`);
		}
		started.push(model.startUpload(engagementId, connector.name).uploadId);
		await sleep(BETWEEN_STARTS_MS);
	}
	return started;
}

/** The polls of one trigger, and what they emitted. */
class Polls {
	readonly emitted: Row[] = [];
	private readonly poller: Poller;
	private number = 0;

	constructor(private readonly context: DemoContext) {
		const { types, credentials } = context;
		this.poller = createPoller({ types, credentials, parameters: { startFrom: 'now' } });
	}

	async poll(comment = ''): Promise<void> {
		const { service, report } = this.context;
		service.clearRequests();
		const items = (await this.poller.poll()) ?? [];
		this.number += 1;
		const { number } = this;
		this.emitted.push(
			...items.map(({ json }) => ({
				poll: number,
				upload: json.uploadId,
				engagement: json.engagementId,
				name: json.engagementName,
				completed: json.completionDate,
			})),
		);
		const cost = count(service.requests.length, 'request');
		const note = comment === '' ? '' : ` (${comment})`;
		report.line(`  poll ${number}: ${count(items.length, 'upload')}, ${cost}${note}`);
	}

	/** Polls until this many uploads have been emitted in total. */
	async until(uploads: number): Promise<void> {
		const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
		while (this.emitted.length < uploads) {
			if (Date.now() > giveUpAt) {
				throw new DemoFailure(
					`The trigger emitted ${this.emitted.length} of ${uploads} uploads in ${GIVE_UP_AFTER_MS / 1000} seconds.`,
				);
			}
			await sleep(POLL_EVERY_MS);
			await this.poll();
		}
	}

	restart(): void {
		this.poller.restart();
	}

	/** @throws DemoFailure unless exactly these uploads were emitted, each once */
	check(expected: string[]): void {
		const emitted = this.emitted.map(({ upload }) => String(upload));
		const [wanted, found] = [expected, emitted].map((ids) => ids.toSorted().join(', '));
		if (found === wanted) return;
		throw new DemoFailure(
			`The trigger should have emitted the uploads ${wanted} once each, but emitted ${found}.`,
		);
	}
}
