import { parseArgs } from 'node:util';
import { credentialValues } from './credentialValues.mts';
import { startService, type SimulatedService } from './http.mts';
import { keepUploading, ONGOING_UPLOADS, WHAT_TO_EXPECT } from './keepUploading.mts';

function readPort(): number {
	const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 0 || port > 65_535) {
		throw new Error(`--port must be a number from 0 to 65535, not ${values.port}`);
	}
	return port;
}

function introduction(service: SimulatedService): string {
	return [
		'Simulated service with sample data. For the credential in n8n:',
		...credentialValues(service),
		WHAT_TO_EXPECT,
		'Ctrl+C stops the service.',
	].join('\n');
}

function explain(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	if ('code' in error && error.code === 'EADDRINUSE') {
		return 'The port is in use: choose another one with --port, or leave it out for any free one.';
	}
	return error.message;
}

async function main(): Promise<void> {
	const service = await startService({
		port: readPort(),
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
	console.error(explain(error));
	process.exitCode = 1;
});
