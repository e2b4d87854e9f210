import type { UploadEvent } from '../../../nodes/EngagementUploads/trigger/events/event.ts';
import { events } from '../../../nodes/EngagementUploads/trigger/events/index.ts';
import { occurrenceOf } from '../../support/occurrences.mts';
import type { Sandbox } from '../sandbox.mts';
import { waitUntil } from '../waitFor.mts';
import { addHistory, every, PublishedTrigger, triggerWorkflow } from './polling.mts';

const CONNECTOR = 'north';
const POLLS_EACH = 3;
/** Uploads that are in progress before anything is published. */
const UNDER_WAY = 5;

/** Longer than Stuck After's default of six hours. */
const UNTIL_STUCK = 7 * 3_600_000;

/** Published workflows, one for each event, and what they must emit. */
export class EventTriggers {
	private readonly published = new Map<string, PublishedTrigger>();
	private readonly underWay: string[] = [];
	/** By event, a line for each record: the upload's ID, and both statuses if they are emitted. */
	private readonly expected = new Map(events.map(({ value }) => [value, [] as string[]]));

	private constructor(private readonly sandbox: Sandbox) {}

	/** Publishes the workflows. The service's uploads do not change until the test changes them. */
	static async publish(sandbox: Sandbox): Promise<EventTriggers> {
		sandbox.service.settings.uploadDurationMs = Infinity;
		const triggers = new EventTriggers(sandbox);
		const credential = await addHistory(sandbox);
		// These exist at the first poll, so their start is not emitted.
		for (let count = 0; count < UNDER_WAY; count += 1) triggers.startUpload();
		for (const { value: event } of events) {
			const workflow = triggerWorkflow({ event, ...every(3) }, credential);
			triggers.published.set(event, await PublishedTrigger.publish(sandbox, workflow));
		}
		await triggers.waitForPolls();
		return triggers;
	}

	/**
	 * Causes every event: hours later, one upload completes, one fails, one is started, and those that
	 * are still in progress are stuck. What occurs to which upload is what its event says.
	 */
	change(): void {
		const { model } = this.sandbox.service;
		const before = events.map((event) => this.occurrencesOf(event));
		model.moveClock(UNTIL_STUCK);
		const [completing = '', failing = ''] = this.underWay.splice(0, 2);
		model.completeUpload(completing);
		model.failUpload(failing);
		this.startUpload();
		for (const [index, event] of events.entries()) {
			const lines = this.expected.get(event.value);
			for (const [id, after] of this.occurrencesOf(event)) {
				const earlier = before[index]?.get(id);
				if (after === undefined || after === earlier) continue;
				lines?.push(event.isRepeating ? `${id} ${earlier ?? null} ${after}` : id);
			}
			if (lines?.length === 0)
				throw new Error(`Cause ${event.name} in change() of test/n8n/e2e/events.mts`);
		}
	}

	private occurrencesOf(event: UploadEvent): Map<string, string | undefined> {
		const { uploads, now } = this.sandbox.service.model;
		return new Map(uploads.all.map((each) => [each.uploadId, occurrenceOf(event, each, now)]));
	}

	/** Waits until every trigger has polled a few times. */
	async waitForPolls(): Promise<void> {
		const [trigger] = this.published.values();
		await trigger?.waitForPolls(POLLS_EACH * events.length);
	}

	/** Waits until every trigger has emitted what it must, and checks that it emitted nothing else. */
	async expectAllEmitted(): Promise<void> {
		for (const event of events) {
			const expected = this.expected.get(event.value) ?? [];
			const isComplete = async () => {
				const emitted = new Set(await this.emitted(event));
				return expected.every((line) => emitted.has(line));
			};
			await waitUntil(isComplete, { what: `${event.name} to emit everything` }).catch(
				() => undefined,
			);
			const emitted = await this.emitted(event);
			expect({ event: event.name, emitted: emitted.sort() }).toEqual({
				event: event.name,
				emitted: [...expected].sort(),
			});
		}
	}

	private startUpload(): string {
		const { model } = this.sandbox.service;
		const engagement = model.engagements.all[0] ?? model.addEngagement();
		const { uploadId } = model.startUpload(engagement.id, CONNECTOR);
		this.underWay.push(uploadId);
		return uploadId;
	}

	private async emitted({ value, isRepeating }: UploadEvent): Promise<string[]> {
		const records = (await this.published.get(value)?.records()) ?? [];
		return records.map(({ uploadId, uploadStatus, previousStatus }) =>
			isRepeating ? `${uploadId} ${previousStatus} ${uploadStatus}` : String(uploadId),
		);
	}
}
