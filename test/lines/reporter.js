const path = require('node:path');

/** Prints how many tests each suite passed in each line of n8n. */
module.exports = class LineReporter {
	onRunComplete(_contexts, { testResults }) {
		const counts = {};
		for (const result of testResults) {
			const line = result.displayName.name;
			const suite = path.relative('test', path.dirname(result.testFilePath));
			const count = ((counts[line] ??= {})[suite] ??= { passed: 0, failed: 0, skipped: 0 });
			count.passed += result.numPassingTests;
			count.failed += result.numFailingTests + (result.testExecError ? 1 : 0);
			count.skipped += result.numPendingTests;
		}
		for (const [line, suites] of Object.entries(counts).sort()) {
			console.log(`\nn8n ${line}`);
			console.table(suites);
		}
	}
};
