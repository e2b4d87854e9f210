const { default: Sequencer } = require('@jest/test-sequencer');

const LONGEST = ['hardening/matrix', 'trigger/histories', 'trigger/costs', 'hardening/responses'];

/** Starts the longest test files first, so that none runs alone at the end. */
class LongestFirst extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => LONGEST.findIndex((name) => path.includes(`test/${name}.`));
		const others = super.sort(tests).filter((test) => rank(test) < 0);
		const longest = tests.filter((test) => rank(test) >= 0);
		return [...longest.sort((one, other) => rank(one) - rank(other)), ...others];
	}
}

module.exports = LongestFirst;
