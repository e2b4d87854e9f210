/** docs/output.md holds what the nodes return in the small world, and the README a sample; `npm run docs` writes both. */
import { events } from '../../nodes/EngagementUploads/trigger/events.ts';
import type { IDataObject } from 'n8n-workflow';

import { examples, toTarget, operationTitle } from '../support/world/examples.mts';
import { checkSection } from '../support/markdown.mts';
import { makePoller } from '../support/engine/polls.mts';
import { readOutput, run, service } from '../support/engine/runs.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { NOW, smallWorld, useSmallWorld } from '../support/world/smallWorld.mts';

const FILE = 'docs/output.md';

// A wait takes ten seconds.
useVirtualTime();
beforeEach(() => jest.spyOn(Date, 'now').mockReturnValue(NOW));
useSmallWorld(beforeEach);

/** JSON in documents is indented with two spaces. */
const toLines = (item: unknown) => JSON.stringify(item, undefined, 2).split('\n');

/** Titles in a row with the same item share one sample. */
function check(section: string, samples: Array<[title: string, item: unknown]>) {
	const texts = samples.map(([, item]) => toLines(item));
	const lines = samples.flatMap(([title], index) => {
		const text = texts[index] ?? [];
		const isShared = text.join() === texts[index + 1]?.join();
		return ['', `### ${title}`, ...(isShared ? [] : ['', '```json', ...text, '```'])];
	});
	checkSection(FILE, section, [...lines, '']);
}

/** The first item of each operation's first example, in a world of its own. */
async function firstItems(): Promise<Array<[title: string, item: unknown]>> {
	const items: Array<[string, unknown]> = [];
	for (const example of examples.filter(({ name }) => !name.includes(' '))) {
		const own = await smallWorld();
		const [first] = await readOutput(own, example.parameters(toTarget(own)));
		if (first === undefined)
			throw new Error(
				`${example.name} returns nothing: add a record to test/support/world/smallWorld.mts`,
			);
		items.push([operationTitle(example.operation), first]);
		await own.close();
	}
	return items;
}

it('shows an item of each operation', async () => {
	check('operations', await firstItems());
});

it('shows other forms of output', async () => {
	const [engagementId, uploadId] = [1001, service.model.uploads.all[0]?.uploadId];
	const connectorName = 'cloudbooks';
	const refresh = { resource: 'dataRefresh', operation: 'run', engagementId, connectorName };
	const steps = { resource: 'upload', operation: 'getWorkflow', engagementId, uploadId };
	const first = async (parameters: IDataObject) => (await readOutput(service, parameters))[0];
	const step = await first({ ...steps, splitSteps: true });
	service.model.refreshOutcomes.set(engagementId, 'actionRequired');
	const action = await first(refresh);
	service.model.refreshOutcomes.clear();
	service.settings.uploadDurationMs = 0;
	const waited = await first({ ...refresh, waitForCompletion: true });
	check('forms', [
		['Upload > Get Steps with Split Steps', step],
		['Data Refresh > Run when the customer must sign in first', action],
		['Data Refresh > Run with Wait for Completion', waited],
	]);
});

it('shows an item that failed', async () => {
	const parameters = { resource: 'company', operation: 'get', engagementId: 99 };
	const { items } = await run(service, parameters, [{}], { onError: 'continueRegularOutput' });
	const poller = makePoller(service, {}, { onError: 'continueErrorOutput' });
	await poller.poll();
	service.fail({ path: /uploads$/ }, { kind: 'status', status: 403 });
	const outage = await poller.poll();
	check('errors', [
		['Company > Get with On Error: Continue', items[0]?.json],
		['Upload Completed with On Error: Continue', outage?.[0]?.json],
	]);
});

it('shows what an event adds to an upload', async () => {
	const { model } = service;
	const repeating = events.find(({ isRepeating }) => isRepeating);
	const poller = makePoller(service, { event: repeating?.value });
	const { uploadId } = model.startUpload(1003, 'cloudbooks');
	await poller.poll();
	model.failUpload(uploadId);
	const changed = await poller.poll();
	check('events', [[String(repeating?.name), changed?.[0]?.json]]);
});
