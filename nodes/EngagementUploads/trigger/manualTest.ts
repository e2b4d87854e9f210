/** A test in the editor shows the latest matching uploads. It neither reads nor changes the state. */
import type { INodeExecutionData } from 'n8n-workflow';
import type { ServiceClient } from '../transport/client';
import { readUploads } from './list';
import { assertConnectorsExist, type TriggerSettings } from './settings';
import { fetchSteps, toItem } from './steps';
import { byTime } from './upload';

const MAX_SHOWN = 5;
/** How many of the latest uploads are looked through. */
const MAX_RECORDS = 1000;

export async function testTrigger(
	client: ServiceClient,
	settings: TriggerSettings,
): Promise<INodeExecutionData[]> {
	const { event, matches } = settings;
	// Start Date is not used, but the user learns whether it is valid.
	settings.readStartDate();
	await assertConnectorsExist(settings, client);
	const newestFirst = { isNewestFirst: true, limit: MAX_RECORDS };
	const uploads = await readUploads(client, settings, 0, newestFirst);
	const latest = uploads
		.filter((each) => event.occurrence(each, client.serviceTime, settings) !== undefined)
		.filter(({ record }) => matches(record))
		.sort(byTime)
		.slice(-MAX_SHOWN)
		.map((upload) => ({ upload, ...(event.isRepeating && { previousStatus: null }) }));
	const steps = await fetchSteps(client, settings, latest);
	return latest.map((emission) => toItem(client, settings, emission, steps));
}
