/**
 * `npm run demo`: the main job of this package, in n8n's own engine, with the simulated service. Each step
 * is checked, so that the demo fails if the nodes do not do what it shows.
 */
import type { IDataObject } from 'n8n-workflow';

import { ensureBuilt } from '../n8n/process/community.mts';
import { makeEndpointCredential } from '../support/world/credentials.mts';
import { loadPackageTypes } from '../support/engine/types.mts';
import { makePoller } from '../support/engine/polls.mts';
import { readOutput } from '../support/engine/runs.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';

/** Every data status, and what people do about it. */
const STATUSES = {
	never: 'Upload > Start, for a link to send',
	failed: 'Data Refresh > Run',
	stale: 'Data Refresh > Run',
	stuck: 'Upload > Get Steps',
	running: 'nothing',
	fresh: 'nothing',
	disabled: 'nothing: no longer a customer',
};
const REFRESHED = 3;

let steps = 0;

/** The heading of the next step, and the operation or event that it uses. */
function step(title: string, uses: string): void {
	steps += 1;
	console.log(`\n${steps}. ${title} (${uses})\n`);
}

/** Plays all steps. @throws naming what went wrong */
async function playStory(): Promise<void> {
	await ensureBuilt(console.log);
	const started = performance.now();
	const service = await startService({ sample: true, settings: { uploadDurationMs: 2500 } });
	try {
		await playWith(service);
	} finally {
		await service.close();
	}
	const seconds = Math.round((performance.now() - started) / 1000);
	console.log(`\nDemo finished in ${seconds} s: everything happened as it should.`);
}

async function playWith(service: SimulatedService): Promise<void> {
	const types = await loadPackageTypes('.');
	const credential = makeEndpointCredential(service);
	const { engagements, uploads } = service.model;
	const contents = `${engagements.all.length} engagements and ${uploads.all.length} uploads`;
	console.log(`A simulated service with ${contents} listens at ${service.url}.`);

	/** Runs the action node. */
	async function run(parameters: IDataObject, items?: IDataObject[]): Promise<IDataObject[]> {
		const output = await readOutput(service, parameters, items, { credential, types });
		console.log(
			`${count(output.length, 'record')} took ${count(service.requests.length, 'request')}.`,
		);
		return output;
	}

	step('Who are the customers?', 'Engagement > Get Many');
	const list = { operation: 'getAll', returnAll: true };
	const customers = await run({ resource: 'engagement', ...list });
	const columns = ['engagementId', 'externalEngagementId', 'name', 'ownerEmail'];
	console.table(customers.slice(0, 3), columns);
	check(customers.length === engagements.all.length, 'customers are missing');

	step('Whose data is stale or missing?', 'Engagement > Get Data Status');
	const statuses = await run({ resource: 'engagement', ...list, operation: 'getStatus' });
	const rows = Object.entries(STATUSES).map(([dataStatus, todo]) => {
		const these = statuses.filter((each) => each.dataStatus === dataStatus);
		check(these.length > 0, `nobody has the data status ${dataStatus}`);
		// Whoever has older data shows best that their age is that of the data in hand.
		const { name, ageDays } = these.find((each) => each.ageDays !== null) ?? these[0] ?? {};
		return { dataStatus, engagements: these.length, example: name, ageDays, 'what to do': todo };
	});
	console.table(rows);

	step('A workflow waits for uploads', 'Engagement Uploads Trigger, Upload Completed');
	const poller = makePoller(service, { event: 'uploadCompleted' }, { types, credential });
	const emitted: IDataObject[] = [];
	async function poll(what: string, expected: number): Promise<void> {
		service.clearRequests();
		const items = (await poller.poll()) ?? [];
		emitted.push(...items.map(({ json }) => json));
		const requests = count(service.requests.length, 'request');
		console.log(`${what}. A poll emits ${count(items.length, 'upload')} (${requests}).`);
		check(items.length === expected, `the poll should have emitted ${expected}`);
	}
	await poll('The workflow is published', 0);

	step('Stale data is refreshed', 'Data Refresh > Run, Wait for Completion');
	const isOld = ({ dataStatus }: IDataObject) => dataStatus === 'stale' || dataStatus === 'failed';
	const old = statuses.filter((each) => isOld(each) && each.dataRefreshEnabled).slice(0, REFRESHED);
	const refresh = {
		resource: 'dataRefresh',
		operation: 'run',
		engagementId: '={{ $json.engagementId }}',
		connectorName: '={{ $json.connectorName }}',
		waitForCompletion: true,
	};
	const refreshed = (await run(refresh, old)).map(({ upload }) => Object(upload) as IDataObject);
	console.table(refreshed, ['engagementId', 'connectorName', 'uploadId', 'uploadStatus']);
	check(refreshed.length > 0, 'no data can be refreshed');
	check(
		refreshed.every(({ uploadStatus }) => uploadStatus === 'COMPLETED'),
		'a refresh did not complete',
	);

	step('The trigger emits each upload once', 'Engagement Uploads Trigger, Upload Completed');
	await poll('The refreshes have completed', refreshed.length);
	const missed = service.model.addCompletedUpload({ engagementId: 1001 });
	poller.restart();
	await poll('n8n was restarted, and an upload completed meanwhile', 1);
	await poll('Nothing has happened', 0);
	poller.restart();
	await poll('n8n was restarted again', 0);
	console.table(emitted, ['uploadId', 'engagementId', 'completionDate']);
	const ids = [...refreshed, missed].map(({ uploadId }) => String(uploadId));
	const emittedIds = emitted.map(({ uploadId }) => String(uploadId));
	check(emittedIds.sort().join() === ids.sort().join(), 'not each upload was emitted once');
}

function check(condition: boolean, failure: string): void {
	if (!condition) throw new Error(`The demo failed: ${failure}.`);
}

function count(number: number, what: string): string {
	return `${number} ${what}${number === 1 ? '' : 's'}`;
}

playStory().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});
