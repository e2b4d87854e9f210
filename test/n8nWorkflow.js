/** What nodes and tests import as n8n-workflow: the copy that belongs to the n8n under test. */
const path = require('node:path');

const { N8N_LINE, requireOnce } = globalThis;
const folder = path.resolve(
	N8N_LINE === undefined ? '.' : path.join('test/lines/.installed', N8N_LINE),
);
// Without test/environment.js, jest loads it, under a name that is not mapped to this file.
module.exports =
	requireOnce?.(folder, 'n8n-workflow') ?? require(path.join(folder, 'node_modules/n8n-workflow'));
