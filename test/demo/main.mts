/** `npm run demo`: examples and the trigger in n8n's engine, with the simulated service. */
import { existsSync } from 'node:fs';

import { CREDENTIAL, endpointCredentialOf } from '../support/credentials.mts';
import { createPoller } from '../support/engine/poll.mts';
import { runWorkflow } from '../support/engine/run.mts';
import { typesOfPackage, type EngineTypes } from '../support/engine/types.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';
import { runnableExample } from './workflows.mts';

/** The examples that start with a manual trigger, and what is shown of a node's items. */
const SHOWCASES = [
	{
		file: 'last-uploads',
		node: 'Get Last Uploads',
		columns: ['engagementId', 'connectorName', 'uploadStatus', 'completionDate'],
	},
	{ file: 'onboard-customer', node: 'Start Upload', columns: ['engagementId', 'url'] },
	{
		file: 'refresh-and-wait',
		node: 'Refresh and Wait',
		columns: ['engagementId', 'connectorName', 'action'],
	},
];
const MAX_ROWS = 8;

function check(condition: boolean, failure: string): void {
	if (!condition) throw new Error(failure);
}

async function showExamples(service: SimulatedService, types: EngineTypes): Promise<void> {
	for (const { file, node, columns } of SHOWCASES) {
		const example = runnableExample(file);
		console.log(`\n${example.name} (examples/${file}.json)`);
		service.clearRequests();
		const credentials = { [CREDENTIAL]: endpointCredentialOf(service) };
		const { nodes, error } = await runWorkflow(example, { types, credentials });
		check(error === undefined, `${file} failed: ${error?.message}`);
		const records = (nodes[node] ?? []).map(({ json }) => json);
		check(records.length > 0, `${file} returned no items`);
		console.table(records.slice(0, MAX_ROWS), columns);
		console.log(`Items: ${records.length}, requests: ${service.requests.length}`);
	}
}

/** Uploads complete while the trigger polls, also during a restart; each is emitted once. */
async function showTrigger(service: SimulatedService, types: EngineTypes): Promise<void> {
	console.log('\nEngagement Uploads Trigger');
	const { model } = service;
	const credentials = { [CREDENTIAL]: endpointCredentialOf(service) };
	const poller = createPoller({ types, credentials, parameters: { startFrom: 'now' } });
	const poll = async (comment: string, expected: string[]) => {
		const ids = ((await poller.poll()) ?? []).map(({ json }) => String(json.uploadId));
		console.log(`  ${comment}: ${ids.length} uploads emitted`);
		check(ids.join() === expected.join(), `It emitted ${ids.join()}, not ${expected.join()}`);
	};
	const complete = (minutesAgo: number) =>
		model.addCompletedUpload({ completedAt: model.now - minutesAgo * 60_000 }).uploadId;
	await poll('Activation: existing uploads are not emitted', []);
	await poll('Two uploads complete', [complete(1), complete(0)]);
	poller.restart();
	await poll('n8n restarts, and the service lists an upload of 10 minutes ago', [complete(10)]);
	await poll('Nothing new', []);
}

async function main(): Promise<void> {
	check(existsSync('dist/nodes'), 'The package is not built: run `npm run build` first.');
	const types = await typesOfPackage('.');
	const service = await startService({ sample: true, settings: { uploadDurationMs: 2500 } });
	const { engagements, uploads } = service.model;
	const contents = `${engagements.all.length} engagements and ${uploads.all.length} uploads`;
	console.log(`Simulated service with ${contents}, at ${service.url}`);
	try {
		await showExamples(service, types);
		await showTrigger(service, types);
	} finally {
		await service.close();
	}
	console.log('\nDemo finished: every workflow succeeded.');
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});
