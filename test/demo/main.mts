import { existsSync } from 'node:fs';

import { runWorkflow } from '../support/engine/run.mts';
import { typesOfPackage } from '../support/engine/types.mts';
import { startService } from '../support/service/http.mts';
import { count, Report } from './report.mts';
import type { DemoContext } from './context.mts';
import { credentialsFor, DemoFailure } from './context.mts';
import { showTrigger } from './trigger.mts';
import type { Showcase } from './workflows.mts';
import { runnableExample, SHOWCASES } from './workflows.mts';

const UPLOAD_DURATION_MS = 2500;

async function show(context: DemoContext, { file, rows }: Showcase): Promise<void> {
	const { service, report, types, credentials } = context;
	const example = runnableExample(file);
	report.heading(`${example.name} (examples/${file}.json)`);
	service.clearRequests();
	const startedAt = Date.now();
	const progress = () =>
		`${count(service.requests.length, 'request')}, ${seconds(Date.now() - startedAt)}`;
	const result = await report.during(progress, async () =>
		runWorkflow(example, {
			types,
			credentials,
			onNodeDone: (name, items, error) =>
				report.line(
					`  ${error === undefined ? '✓' : '✗'} ${name}: ${count(items.length, 'item')} (${progress()} so far)`,
				),
		}),
	);
	if (result.error !== undefined) {
		throw new DemoFailure(`The workflow “${example.name}” failed: ${result.error.message}`);
	}
	const shown = rows(result);
	if (shown.length === 0)
		throw new DemoFailure(`The workflow “${example.name}” returned no items.`);
	report.table(shown);
	report.line(`${count(service.requests.length, 'request')} in ${seconds(Date.now() - startedAt)}`);
}

function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}

async function loadTypes() {
	if (!existsSync('dist/nodes')) {
		throw new DemoFailure('The package is not built: run `npm run build` first.');
	}
	return await typesOfPackage('.');
}

async function main(): Promise<void> {
	const types = await loadTypes();
	const settings = { uploadDurationMs: UPLOAD_DURATION_MS, latencyMs: 40 };
	const service = await startService({ sample: true, settings });
	const report = new Report(process.stdout);
	const context: DemoContext = { service, types, report, credentials: credentialsFor(service) };
	const { engagements, uploads } = service.model;
	try {
		report.line(
			`Simulated service with ${engagements.all.length} engagements and ${uploads.all.length} uploads, at ${service.url}`,
		);
		for (const showcase of SHOWCASES) await show(context, showcase);
		await showTrigger(context);
	} finally {
		await service.close();
	}
	report.heading('Demo finished: every workflow succeeded.');
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});
