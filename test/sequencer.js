const { default: Sequencer } = require('@jest/test-sequencer');

/** The test files that take longest. */
const LONGEST = ['hardening/matrix', 'trigger/histories', 'hardening/responses'];

/** Starts them first, so that none runs alone at the end: on a fresh clone, Jest knows no durations. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const isLong = ({ path }) => LONGEST.some((name) => path.endsWith(`${name}.test.mts`));
		const sorted = super.sort(tests);
		return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
	}
};
