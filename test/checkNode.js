/*
 * Says in one sentence that Node.js is too old for this project, where it would otherwise fail with the
 * stack of some dependency. It runs before the commands in package.json, and has to work in the oldest
 * Node.js that anybody may have, so it is written in the JavaScript of 2009.
 */
var oldest = require('../package.json').engines.node.replace('>=', '');

function isOlder(version, than) {
	var a = version.split('.').map(Number);
	var b = than.split('.').map(Number);
	return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}

var own = process.versions.node;
if (isOlder(own, oldest)) {
	var problem = 'This needs Node.js ' + oldest + ' or later, and yours is ' + own + '.';
	var advice = 'Install a newer one, for example from https://nodejs.org, and run “npm ci” again.';
	console.error(problem + ' ' + advice);
	process.exit(1);
}
