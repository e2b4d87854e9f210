import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { claimsOf } from './claims.mts';
import { copyPackage, installBench } from './install.mts';
import { measureWork, type Result } from './measure.mts';
import { packageFigures } from './package-figures.mts';
import { plotOf } from './plot.mts';
import { withSpeed } from './readme.mts';
import { latencyOf, NAMES, reportOf } from './report.mts';
import { makeCertificate } from './slow-line.mts';
import { worksOf, type Work } from './works.mts';

const HELP = `npm run bench -- [--quick] [--runs 5] [--works <pattern>] [--out docs]

Measures this package's nodes beside n8n's HTTP Request node and undici, and writes bench.md,
bench.svg and the table in the README. About 25 minutes; --quick takes about three and writes nothing
unless --out is given.`;

const README = 'README.md';

function readOptions() {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			runs: { type: 'string', default: '5' },
			works: { type: 'string', default: '' },
			out: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	const runs = Number(values.runs);
	if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs must be a number of at least 1');
	const isWhole = !values.quick && values.works === '';
	return { ...values, runs, isWhole, out: values.out ?? (isWhole ? 'docs' : undefined) };
}

function showResult({ contestant, median }: Result): void {
	const figures = [
		`${(median.wallMs / 1000).toFixed(2)} s`,
		`CPU ${(median.cpuMs / 1000).toFixed(2)} s`,
		`${median.requests} requests`,
		`${median.mostAtOnce} at once`,
		`${median.lost} lost`,
		`${Math.round(median.peakBytes / 1_000_000)} MB`,
	];
	console.log(`  ${NAMES[contestant].padEnd(36)}${figures.join(', ')}`);
}

async function measureAll(works: Work[], runs: number): Promise<Result[]> {
	const results: Result[] = [];
	const removeCertificate = makeCertificate();
	try {
		for (const work of works) {
			console.log(`${work.title}, ${latencyOf(work)}`);
			const measured = await measureWork(work, runs);
			measured.forEach(showResult);
			results.push(...measured);
		}
	} finally {
		removeCertificate();
	}
	return results;
}

async function main(): Promise<void> {
	const { help, quick, runs, works: pattern, isWhole, out } = readOptions();
	if (help) return console.log(HELP);
	await installBench();
	await copyPackage();
	const works = worksOf(quick).filter(({ id }) => new RegExp(pattern).test(id));
	const results = await measureAll(works, runs);
	const claims = claimsOf(results);
	console.log('\nWhat is claimed:');
	for (const { claim, measured, holds } of claims) {
		console.log(`  ${holds ? 'holds ' : 'MISSED'}  ${claim}: ${measured}`);
	}
	const figures = await packageFigures();
	console.log(
		`\nThe package loads in ${figures.loadMs.toFixed(0)} ms, dist holds ${figures.distBytes} bytes`,
	);
	if (out === undefined) return;
	await mkdir(out, { recursive: true });
	await writeFile(path.join(out, 'bench.md'), reportOf({ results, claims, figures, runs }));
	await writeFile(path.join(out, 'bench.svg'), await plotOf(results));
	console.log(`Written: ${path.join(out, 'bench.md')} and ${path.join(out, 'bench.svg')}`);
	if (!isWhole) return;
	await writeFile(README, withSpeed(await readFile(README, 'utf8'), results, runs));
	console.log(`Written: the table in ${README}`);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});
