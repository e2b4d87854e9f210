import { readCommandLine } from '../commandLine.mts';
import { credentialValues } from './credentialValues.mts';
import { startService, type SimulatedService } from './http.mts';
import { keepUploading, ONGOING_UPLOADS, WHAT_TO_EXPECT } from './keepUploading.mts';
import { notableCustomers } from './sampleStatuses.mts';

const COMMAND = {
	name: 'npm run service',
	purpose: [
		'Starts the simulated service with sample data, on this computer only, and prints what to enter',
		'in a credential. Nothing is kept: Ctrl+C ends the service and its data.',
	],
	options: {
		port: {
			type: 'string',
			default: '0',
			value: 'port',
			purpose: 'The port to listen on',
			usual: 'any free one',
		},
	},
} as const;

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
	const service = await startService({
		port: Number(readCommandLine(COMMAND).port),
		sample: true,
		record: false,
		settings: ONGOING_UPLOADS,
	});
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
