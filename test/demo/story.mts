/** The demo's steps. Each is checked, so that the demo fails if the nodes do not do what it shows. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../../nodes/EngagementUploads/values/objects.ts';
import { endpointCredentialOf } from '../support/credentials.mts';
import type { Poller } from '../support/engine/poll.mts';
import { typesOfPackage, type EngineTypes } from '../support/engine/types.mts';
import { pollerOf } from '../support/polls.mts';
import { outputOf } from '../support/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { say, showTable, step, type Row } from './screen.mts';

/** Every data status, and what people do about it. */
const STATUSES = {
	never: 'Upload > Start, for a link to send',
	failed: 'Data Refresh > Run',
	stale: 'Data Refresh > Run',
	stuck: 'Upload > Get Steps',
	running: 'nothing',
	fresh: 'nothing',
};
const REFRESHED = 3;

/** An emitted upload, and the poll that emitted it. */
interface Emission extends Row {
	poll: number;
	uploadId: string;
	engagementId: unknown;
	completionDate: unknown;
}

/** Plays all steps. @throws naming what went wrong */
export async function playStory(): Promise<void> {
	const started = performance.now();
	const service = await startService({ sample: true, settings: { uploadDurationMs: 2500 } });
	try {
		const demo = new Demo(service, await typesOfPackage('.'));
		await demo.listCustomers();
		const stale = await demo.showDataStatuses();
		await demo.publishTrigger();
		const refreshed = await demo.refresh(stale);
		await demo.emitEachOnce(refreshed);
	} finally {
		await service.close();
	}
	const seconds = Math.round((performance.now() - started) / 1000);
	console.log(`\nDemo finished in ${seconds} s: everything happened as it should.`);
}

class Demo {
	private readonly poller: Poller;
	private readonly emissions: Emission[] = [];
	private polls = 0;

	constructor(
		private readonly service: SimulatedService,
		private readonly types: EngineTypes,
	) {
		const { engagements, uploads } = service.model;
		const credential = endpointCredentialOf(service);
		this.poller = pollerOf(service, { event: 'uploadCompleted' }, { types, credential });
		const contents = `${engagements.all.length} engagements and ${uploads.all.length} uploads`;
		console.log(`A simulated service with ${contents} listens at ${service.url}.`);
	}

	async listCustomers(): Promise<void> {
		step('Who are the customers?', 'Engagement > Get Many');
		const list = await this.run({ resource: 'engagement', operation: 'getAll', returnAll: true });
		showTable(['engagementId', 'externalEngagementId', 'name', 'ownerEmail'], list, 3);
		check(list.length === this.service.model.engagements.all.length, 'customers are missing');
		this.sayRequests(`${list.length} engagements`);
	}

	/** @returns customers with old data that can be refreshed without them */
	async showDataStatuses(): Promise<IDataObject[]> {
		step('Whose data is old or missing?', 'Engagement > Get Data Status');
		const parameters = { resource: 'engagement', operation: 'getStatus', returnAll: true };
		const list = await this.run(parameters);
		const rows = Object.entries(STATUSES).map(([dataStatus, todo]): Row => {
			const these = list.filter((each) => each.dataStatus === dataStatus);
			check(these.length > 0, `nobody has the data status ${dataStatus}`);
			// Whoever has older data shows best that their age is that of the data in hand.
			const { name, ageDays } = these.find((each) => each.ageDays !== null) ?? these[0] ?? {};
			return { dataStatus, engagements: these.length, example: name, ageDays, 'what to do': todo };
		});
		showTable(['dataStatus', 'engagements', 'example', 'ageDays', 'what to do'], rows);
		this.sayRequests(`The data status of ${list.length} engagements`);
		return list
			.filter(({ dataStatus }) => dataStatus === 'stale' || dataStatus === 'failed')
			.filter(({ dataRefreshEnabled }) => dataRefreshEnabled)
			.slice(0, REFRESHED);
	}

	async publishTrigger(): Promise<void> {
		step('A workflow waits for uploads', 'Engagement Uploads Trigger, Upload Completed');
		await this.poll('the workflow is published', 0);
	}

	/** @returns the IDs of the new uploads */
	async refresh(customers: IDataObject[]): Promise<string[]> {
		step('The old data is refreshed', 'Data Refresh > Run, Wait for Completion');
		check(customers.length > 0, 'no data can be refreshed');
		const parameters = {
			resource: 'dataRefresh',
			operation: 'run',
			engagementId: '={{ $json.engagementId }}',
			connectorName: '={{ $json.connectorName }}',
			waitForCompletion: true,
			options: { waitInterval: 1 },
		};
		const refreshes = await this.run(parameters, customers);
		const rows = refreshes.map(({ engagementId, connectorName, upload }): Row => {
			const { ageDays } = customers.find((each) => each.engagementId === engagementId) ?? {};
			const { uploadId, uploadStatus } = isObject(upload) ? upload : {};
			check(
				uploadStatus === 'COMPLETED',
				`the refresh of ${String(engagementId)} did not complete`,
			);
			return { engagementId, connectorName, 'ageDays before': ageDays, uploadId, uploadStatus };
		});
		showTable(
			['engagementId', 'connectorName', 'ageDays before', 'uploadId', 'uploadStatus'],
			rows,
		);
		this.sayRequests(`${rows.length} refreshes, and waiting for them,`);
		return rows.map(({ uploadId }) => String(uploadId));
	}

	/** The trigger emits what completed, also what completed while n8n was down, and nothing twice. */
	async emitEachOnce(refreshed: string[]): Promise<void> {
		step('The trigger emits each upload once', 'Engagement Uploads Trigger, Upload Completed');
		await this.poll('the refreshes have completed', refreshed.length);
		const { uploadId } = this.service.model.addCompletedUpload({ engagementId: 1001 });
		this.poller.restart();
		await this.poll('n8n was restarted, and an upload completed meanwhile', 1);
		await this.poll('nothing has happened', 0);
		this.poller.restart();
		await this.poll('n8n was restarted again', 0);
		console.log('');
		showTable(['uploadId', 'engagementId', 'completionDate', 'poll'], this.emissions);
		const emitted = this.emissions.map((each) => each.uploadId);
		check(
			emitted.toSorted().join() === [...refreshed, uploadId].toSorted().join(),
			'not each once',
		);
		say(`${emitted.length} uploads completed; each was emitted exactly once.`);
	}

	private async poll(what: string, expected: number): Promise<void> {
		this.polls += 1;
		this.service.clearRequests();
		const items: INodeExecutionData[] = (await this.poller.poll()) ?? [];
		for (const { json } of items) {
			const { engagementId, completionDate } = json;
			const uploadId = String(json.uploadId);
			this.emissions.push({ poll: this.polls, uploadId, engagementId, completionDate });
		}
		const requests = counted(this.service.requests.length, 'request');
		const emitted = counted(items.length, 'upload');
		say(`Poll ${this.polls}: ${what}. ${emitted} emitted, ${requests}`);
		check(items.length === expected, `poll ${this.polls} should have emitted ${expected}`);
	}

	private async run(parameters: IDataObject, items?: IDataObject[]): Promise<IDataObject[]> {
		const { service, types } = this;
		const credential = endpointCredentialOf(service);
		return await outputOf(service, parameters, items, { credential, types });
	}

	private sayRequests(what: string): void {
		say(`${what} took ${counted(this.service.requests.length, 'request')}.`);
	}
}

function check(condition: boolean, failure: string): void {
	if (!condition) throw new Error(`The demo failed: ${failure}.`);
}

function counted(count: number, what: string): string {
	return `${count} ${what}${count === 1 ? '' : 's'}`;
}
