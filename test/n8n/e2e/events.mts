import { events } from '../../../nodes/EngagementUploads/trigger/events/index.ts';
import type { Sandbox } from '../sandbox.mts';
import { waitUntil } from '../waitFor.mts';
import { addHistory, every, PublishedTrigger, triggerWorkflow } from './polling.mts';

/** The events of the trigger, each with a workflow of its own. */
const EVENTS = events.map(({ value }) => value);

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
	/** A line for each record: the upload's ID, for Status Changed with both statuses. */
	private readonly expected = {
		uploadCompleted: [] as string[],
		uploadFailed: [] as string[],
		uploadStarted: [] as string[],
		uploadStatusChanged: [] as string[],
		uploadStuck: [] as string[],
	};

	private constructor(private readonly sandbox: Sandbox) {}

	/** Publishes the workflows. The service's uploads do not change until the test changes them. */
	static async publish(sandbox: Sandbox): Promise<EventTriggers> {
		sandbox.service.settings.uploadDurationMs = Infinity;
		const triggers = new EventTriggers(sandbox);
		const credential = await addHistory(sandbox);
		// These exist at the first poll, so their start is not emitted.
		for (let count = 0; count < UNDER_WAY; count += 1) triggers.startUpload();
		for (const event of EVENTS) {
			const workflow = triggerWorkflow({ event, ...every(3) }, credential);
			triggers.published.set(event, await PublishedTrigger.publish(sandbox, workflow));
		}
		await triggers.waitForPolls();
		return triggers;
	}

	/**
	 * Causes every event: hours later, one upload completes, one fails, one is started, and those that
	 * are still in progress are stuck.
	 */
	change(): void {
		const { model } = this.sandbox.service;
		model.moveClock(UNTIL_STUCK);
		const [completing = '', failing = ''] = this.underWay.splice(0, 2);
		model.completeUpload(completing);
		model.failUpload(failing);
		const reported = new Set(this.expected.uploadStuck);
		this.expected.uploadStuck.push(...this.underWay.filter((id) => !reported.has(id)));
		const started = this.startUpload();
		this.expected.uploadCompleted.push(completing);
		this.expected.uploadFailed.push(failing);
		this.expected.uploadStarted.push(started);
		this.expected.uploadStatusChanged.push(
			`${completing} LOADING COMPLETED`,
			`${failing} LOADING FAILED`,
			`${started} null LOADING`,
		);
	}

	/** Waits until every trigger has polled a few times. */
	async waitForPolls(): Promise<void> {
		const trigger = this.published.get('uploadCompleted');
		await trigger?.waitForPolls(POLLS_EACH * EVENTS.length);
	}

	/** Waits until every trigger has emitted what it must, and checks that it emitted nothing else. */
	async expectAllEmitted(): Promise<void> {
		for (const event of EVENTS) {
			const isComplete = async () => {
				const emitted = new Set(await this.emitted(event));
				return this.linesOf(event).every((line) => emitted.has(line));
			};
			await waitUntil(isComplete, { what: `${event} to emit everything` }).catch(() => undefined);
			const emitted = await this.emitted(event);
			expect({ event, emitted: emitted.sort() }).toEqual({
				event,
				emitted: [...this.linesOf(event)].sort(),
			});
		}
	}

	/** What an event must emit. @throws for one that `change` does not cause yet */
	private linesOf(event: string): string[] {
		const lines = new Map(Object.entries(this.expected)).get(event);
		if (lines !== undefined) return lines;
		throw new Error(
			`Cause ${event} in change() of test/n8n/e2e/events.mts, and list what it emits`,
		);
	}

	private startUpload(): string {
		const { model } = this.sandbox.service;
		const engagement = model.engagements.all[0] ?? model.addEngagement();
		const { uploadId } = model.startUpload(engagement.id, CONNECTOR);
		this.underWay.push(uploadId);
		return uploadId;
	}

	private async emitted(event: string): Promise<string[]> {
		const records = (await this.published.get(event)?.records()) ?? [];
		return records.map(({ uploadId, uploadStatus, previousStatus }) =>
			event === 'uploadStatusChanged'
				? `${uploadId} ${previousStatus} ${uploadStatus}`
				: String(uploadId),
		);
	}
}
