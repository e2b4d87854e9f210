/** What nodes and tests import as n8n-workflow: the copy that belongs to the n8n under test. */
const path = require('node:path');

const { requireOnce } = globalThis;
const isOldest = process.env.N8N_UNDER_TEST === 'oldest';
const folder = path.resolve(isOldest ? 'test/oldest/.installed' : '.');
// Without test/environment.js, jest loads it, under a name that is not mapped to this file.
module.exports =
	requireOnce?.(folder, 'n8n-workflow') ?? require(path.join(folder, 'node_modules/n8n-workflow'));
