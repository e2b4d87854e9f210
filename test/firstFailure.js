const { default: TestRunner } = require('jest-runner');
const path = require('node:path');

/**
 * Runs the tests of a mutated file until one file fails, which is all that a mutant needs. Those in the
 * folder of the same name come first, and of these the one with the file's own name.
 */
class FirstFailure extends TestRunner {
	async runTests(tests, watcher, options) {
		let hasFailed = false;
		this.on('test-file-failure', () => (hasFailed = true));
		this.on('test-file-success', ([, result]) => (hasFailed ||= result.numFailingTests > 0));
		for (const test of this.#nearestFirst(tests)) {
			if (hasFailed) return;
			await super.runTests([test], watcher, options);
		}
	}

	#nearestFirst(tests) {
		const [mutated = ''] = this._globalConfig.nonFlagArgs;
		const { dir, name } = path.parse(mutated.replace('/nodes/EngagementUploads/', '/test/'));
		const rank = (test) =>
			Number(test.path.startsWith(dir)) + Number(path.basename(test.path) === `${name}.test.mts`);
		return [...tests].sort((one, other) => rank(other) - rank(one));
	}
}

module.exports = FirstFailure;
