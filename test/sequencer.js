const { default: Sequencer } = require('@jest/test-sequencer');

/** The test files that take longest, the longest first. */
const LONGEST = [
	'package',
	'hardening/failures',
	'trigger/histories',
	'hardening/responses',
	'hardening/inputs',
	'trigger/costs',
	'credentials/tokenEndpoint',
	'lookups/lookUp',
	// In the real n8n:
	'e2e/browser',
	'e2e/trigger',
	'e2e/start',
];

/** Starts them first, so that none runs alone at the end: on a fresh clone, Jest knows no durations. */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => {
			const found = LONGEST.findIndex((name) => path.endsWith(`${name}.test.mts`));
			return found === -1 ? LONGEST.length : found;
		};
		return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
	}
};
