/**
 * fast-check with the same random values in every run, so that a test never fails by chance.
 * `SEED=…` tries others, and `SEED=random` new ones, as `npm run test:random` does.
 */
const path = require('node:path');

const { SEED = '20261121' } = process.env;
const { requireOnce } = globalThis;
// Without test/environment.js, jest loads it, under a name that is not mapped to this file. It needs
// the file that is no ES module.
const fc =
	requireOnce?.(__dirname, 'fast-check') ??
	require(path.resolve('node_modules/fast-check/lib/cjs/fast-check.js'));
if (SEED !== 'random') fc.configureGlobal({ seed: Number(SEED) });
module.exports = fc;
