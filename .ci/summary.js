/*
 * Prints the results of the steps of .ci/run and, on the last line, how many tests passed and failed
 * according to jest. Exits with 1 unless every step succeeded and tests were run.
 */
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const [, , folder] = process.argv;

function readSteps() {
	const file = join(folder, 'steps.tsv');
	if (!existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8').trim().split('\n');
	return lines.map((line) => {
		const [step, name, code, seconds] = line.split('\t');
		return { name, ok: code === '0', seconds, ...countTests(step) };
	});
}

/** How many tests of a step passed and failed; a test file that could not run counts as a failure. */
function countTests(step) {
	const file = join(folder, `${step}.json`);
	if (!existsSync(file)) return { passed: 0, failed: 0 };
	const results = JSON.parse(readFileSync(file, 'utf8'));
	return {
		passed: results.numPassedTests,
		failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
	};
}

function describe({ name, ok, seconds, passed, failed }) {
	const tests = passed + failed > 0 ? `, ${passed} passed, ${failed} failed` : '';
	return `${ok ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s${tests})`;
}

function sum(counts) {
	return counts.reduce((total, count) => total + count, 0);
}

const steps = readSteps();
const passed = sum(steps.map((step) => step.passed));
// A step that failed without a failed test, such as lint, counts as one failure.
const failed = sum(steps.map((step) => (step.ok ? step.failed : Math.max(step.failed, 1))));

console.log(`\n${steps.map(describe).join('\n')}\n`);
console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0) process.exitCode = 1;
