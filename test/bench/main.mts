import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { claimsOf } from './claims.mts';
import { installBench } from './install.mts';
import { measureWorkload, type Result } from './measure.mts';
import { NAMES, reportOf } from './report.mts';
import { workloadsOf } from './workloads.mts';

const HELP = `npm run bench -- [--quick] [--runs 5]

Compares this package's nodes with n8n's HTTP Request node, and writes docs/bench.md. About ten
minutes; --quick takes about two, and writes nothing.`;
const REPORT = 'docs/bench.md';

function readOptions() {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			runs: { type: 'string', default: '5' },
			help: { type: 'boolean', default: false },
		},
	});
	const runs = Number(values.runs);
	if (!Number.isInteger(runs) || runs < 1)
		throw new Error('--runs must be a whole number of at least 1');
	return { ...values, runs };
}

function showResult({ work, figures }: Result): void {
	console.log(`${work.title}, ${work.latencyMs} ms`);
	for (const [name, own] of figures) {
		const texts = [
			`${(own.wallMs / 1000).toFixed(2)} s`,
			`CPU ${(own.cpuMs / 1000).toFixed(2)} s`,
			`${own.requests} requests`,
			`${own.mostAtOnce} in parallel`,
			`${own.lost} lost`,
			`${Math.round(own.peakBytes / 1_000_000)} MB`,
		];
		console.log(`  ${NAMES[name].padEnd(36)}${texts.join(', ')}`);
	}
}

async function main(): Promise<void> {
	const { help, quick, runs } = readOptions();
	if (help) return console.log(HELP);
	await installBench();
	const results: Result[] = [];
	for (const work of workloadsOf(quick)) {
		const result = await measureWorkload(work, runs);
		showResult(result);
		results.push(result);
	}
	console.log('\nClaims:');
	for (const { claim, measured, holds } of results.flatMap(claimsOf)) {
		console.log(`  ${holds ? 'holds ' : 'MISSED'}  ${claim}: ${measured}`);
	}
	if (!quick) await writeFile(REPORT, reportOf(results, runs));
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});
