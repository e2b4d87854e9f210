/**
 * `npm run service [-- --port <port>]`: the simulated service with sample data, on this computer only. Nothing is
 * kept: Ctrl+C ends the service and its data.
 */
import { parseArgs } from 'node:util';
import { credentialValues } from '../world/credentials.mts';
import { startService, type SimulatedService } from './http.mts';
import { keepUploading, WHAT_TO_EXPECT } from './keepUploading.mts';
import { notableCustomers } from './sampleStatuses.mts';

function introduction(service: SimulatedService): string {
	return [
		'Simulated service with sample data. For the credential in n8n:',
		...credentialValues(service),
		WHAT_TO_EXPECT,
		...notableCustomers(service.model),
		'Ctrl+C stops the service.',
	].join('\n');
}

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
	const service = await startService({ port: Number(values.port), sample: true, record: false });
	service.settings.connectUrl = service.url;
	const uploading = keepUploading(service);
	const stop = () => {
		clearInterval(uploading);
		void service.close();
	};
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
	console.log(introduction(service));
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
