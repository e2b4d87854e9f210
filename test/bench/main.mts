import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { claimsOf, type Claim } from './claims.mts';
import { copyPackage, INSTALLED, installBench } from './install.mts';
import { measureWorkload, type Result } from './measure.mts';
import { plotOf } from './plot.mts';
import { NAMES, reportOf, type ReportParts } from './report.mts';
import type { Workload } from './workload.mts';
import { workloadsOf } from './workloads.mts';

const HELP = `npm run bench -- [--quick] [--runs 5] [--works <pattern>] [--out <folder>] [--rewrite]

Compares this package's nodes with n8n's HTTP Request node and undici, and writes docs/bench.md and
docs/bench.svg. About 14 minutes; --quick takes about two. With --out, both are written there
instead; --quick and --works write nothing without it. --rewrite writes them again from the latest
measurements.`;

const LATEST = path.join(path.dirname(INSTALLED), 'latest.json');

type Measured = Omit<ReportParts, 'claims'>;

function readOptions() {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			runs: { type: 'string', default: '5' },
			works: { type: 'string', default: '' },
			out: { type: 'string' },
			rewrite: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const runs = Number(values.runs);
	if (!Number.isInteger(runs) || runs < 1)
		throw new Error('--runs must be a whole number of at least 1');
	const isWhole = !values.quick && values.works === '';
	return { ...values, runs, out: values.out ?? (isWhole ? 'docs' : undefined) };
}

function showResult({ contestant, median }: Result): void {
	const figures = [
		`${(median.wallMs / 1000).toFixed(2)} s`,
		`CPU ${(median.cpuMs / 1000).toFixed(2)} s`,
		`${median.requests} requests`,
		`${median.mostAtOnce} in parallel`,
		`${median.lost} lost`,
		`${Math.round(median.peakBytes / 1_000_000)} MB`,
	];
	console.log(`  ${NAMES[contestant].padEnd(36)}${figures.join(', ')}`);
}

async function measureAll(workloads: Workload[], runs: number): Promise<Result[]> {
	const results: Result[] = [];
	for (const work of workloads) {
		console.log(`${work.title}, ${work.latencyMs} ms`);
		const measured = await measureWorkload(work, runs);
		measured.forEach(showResult);
		results.push(...measured);
	}
	return results;
}

/** Measures the workloads, and keeps the results for `--rewrite`. */
async function measure(workloads: Workload[], runs: number): Promise<Measured> {
	await copyPackage();
	const begun = performance.now();
	const results = await measureAll(workloads, runs);
	const measured = { results, runs };
	console.log(`Measured in ${((performance.now() - begun) / 60_000).toFixed(1)} minutes`);
	await writeFile(LATEST, JSON.stringify(measured));
	return measured;
}

function showClaims(claims: Claim[]): void {
	console.log('\nClaims:');
	for (const { claim, measured, holds } of claims) {
		console.log(`  ${holds ? 'holds ' : 'MISSED'}  ${claim}: ${measured}`);
	}
}

async function main(): Promise<void> {
	const { help, quick, rewrite, runs, works: pattern, out } = readOptions();
	if (help) return console.log(HELP);
	await installBench();
	const workloads = workloadsOf(quick).filter(({ id }) => new RegExp(pattern).test(id));
	const measured = rewrite
		? (JSON.parse(await readFile(LATEST, 'utf8')) as Measured)
		: await measure(workloads, runs);
	const { results } = measured;
	const claims = claimsOf(results);
	showClaims(claims);
	if (out === undefined) return;
	await mkdir(out, { recursive: true });
	await writeFile(path.join(out, 'bench.md'), reportOf({ ...measured, claims }));
	await writeFile(path.join(out, 'bench.svg'), plotOf(results));
	console.log(`Written: bench.md and bench.svg in ${out}`);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});
