/*
 * Runs test files in Node.js's own global scope instead of a new one for each. n8n, which takes longer
 * to load than most files take to run, is then loaded once for each worker. Everything else, the
 * product included, is loaded anew for each file, as usual. Jest has no setting for this: only its call of
 * `vm.compileFunction` says in which scope a module runs.
 */
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { createRequire } = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

/** Stands for Node.js's own scope, for which `vm` has no object. */
const OWN_SCOPE = {};
const { compileFunction } = vm;
vm.compileFunction = (source, names, { parsingContext, ...options }) => {
	const isOwn = parsingContext === OWN_SCOPE;
	return compileFunction(source, names, isOwn ? options : { ...options, parsingContext });
};

/** A module from a folder's node_modules, the same one for all test files. */
function requireOnce(folder, name) {
	return createRequire(path.resolve(folder, 'package.json'))(name);
}

module.exports = class SharedScope {
	constructor({ projectConfig: config }) {
		const { console } = globalThis;
		this.globals = Object.keys({ ...config.globals, requireOnce });
		const { exit, getBuiltinModule } = process;
		/** What jest replaces, and what tests may change. */
		this.before = { console, process: { exit, getBuiltinModule }, env: { ...process.env } };
		this.global = globalThis;
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
		Object.assign(globalThis, config.globals, { requireOnce });
	}

	async setup() {}

	/** Skips tests of features that the n8n under test lacks (test/support/engine/lines.mts). */
	handleTestEvent({ name, test }) {
		if (name !== 'test_done') return;
		const thrown = test.errors.map((error) => (Array.isArray(error) ? error[0] : error));
		if (!thrown.some((error) => error?.name === 'LineLacks')) return;
		test.errors = [];
		test.status = 'skip';
	}

	async teardown() {
		const { console, process: own, env } = this.before;
		this.moduleMocker.restoreAllMocks();
		this.fakeTimersModern.dispose();
		globalThis.console = console;
		// Otherwise, jest's own environment would pass them on to files that do not share a scope.
		for (const name of this.globals) delete globalThis[name];
		Object.assign(process, own);
		for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
		Object.assign(process.env, env);
	}

	getVmContext() {
		return OWN_SCOPE;
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}
};
