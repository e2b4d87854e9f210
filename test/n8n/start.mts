import { parseArgs } from 'node:util';
import { lastLines } from './command.mts';
import { readExamples } from './examples.mts';
import { introduction } from './introduction.mts';
import { startOutside, type Outside } from './outside.mts';
import { assertFree } from './ports.mts';
import type { WorkflowInput } from './rest.mts';
import { makeTemplate, removeTemplate, Stage, type Template } from './stage.mts';
import { keepUploading } from '../support/service/keepUploading.mts';

const OPTIONS = {
	'n8n-port': { type: 'string', default: '5678' },
	'service-port': { type: 'string', default: '5679' },
} as const;

interface Ports {
	n8nPort: number;
	servicePort: number;
}

async function readPorts(): Promise<Ports> {
	const { values } = parseArgs({ options: OPTIONS });
	return {
		n8nPort: await readPort('n8n-port', values['n8n-port'], 'n8n'),
		servicePort: await readPort('service-port', values['service-port'], 'the simulated service'),
	};
}

async function readPort(option: keyof typeof OPTIONS, text: string, what: string): Promise<number> {
	const port = Number(text);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new Error(`--${option} must be a number from 1 to 65535, not “${text}”`);
	}
	await assertFree(port, what, `--${option}`);
	return port;
}

async function openStage(template: Template, { n8nPort, servicePort }: Ports): Promise<Stage> {
	console.log('Starting the simulated service and n8n …');
	return await Stage.open(template, {
		service: { sample: true, record: false, port: servicePort },
		n8nPort,
		env: { GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone },
	});
}

/** Fills n8n with credentials and the examples. @returns the examples by file name */
async function furnish(stage: Stage, outside: Outside): Promise<Map<string, WorkflowInput>> {
	const examples = await readExamples(stage, outside);
	for (const workflow of examples.values()) await stage.rest.createWorkflow(workflow);
	return examples;
}

/** Comes back when the user wants to stop. @throws when n8n has ended by itself */
async function serve(stage: Stage, interrupted: Promise<unknown>): Promise<void> {
	const outside = await startOutside((message) => console.log(`Notification: ${message}`));
	const uploading = keepUploading(stage.service);
	try {
		console.log(introduction(stage, await furnish(stage, outside)));
		const ended = stage.n8n.ended.then(() => 'ended');
		if ((await Promise.race([interrupted, ended])) !== 'ended') return;
		throw new Error(`n8n has ended by itself. It said last:\n${lastLines(stage.n8n.log)}`);
	} finally {
		clearInterval(uploading);
		await outside.close();
	}
}

async function start(interrupted: Promise<unknown>): Promise<void> {
	const ports = await readPorts();
	const template = await makeTemplate(console.log);
	try {
		const stage = await openStage(template, ports);
		await serve(stage, interrupted).finally(async () => await stage.close());
	} finally {
		removeTemplate(template);
	}
}

async function main(): Promise<void> {
	let isInterrupted = false;
	const interrupted = new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
	}).then(() => (isInterrupted = true));
	// Ctrl+C ends what is under way too: that this then fails is no news.
	await start(interrupted).catch((error: unknown) => {
		if (!isInterrupted) throw error;
	});
	if (isInterrupted) console.log('Stopped.');
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
