/** TypeScript's compiler, which takes jest longer to load than most test files take to run. */
const path = require('node:path');

const { requireOnce } = globalThis;
// Without test/environment.js, jest loads it, under a name that is not mapped to this file.
module.exports =
	requireOnce?.(__dirname, 'typescript') ?? require(path.resolve('node_modules/typescript'));
