/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/environment.js',
	moduleNameMapper: {
		'^n8n-workflow$': '<rootDir>/test/n8nWorkflow.js',
		'^fast-check$': '<rootDir>/test/fastCheck.js',
		'^typescript$': '<rootDir>/test/typescript.js',
	},
	testMatch: ['<rootDir>/test/**/*.test.mts'],
	// The real n8n has its own package, and it and the benchmark are run separately.
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/n8n/', '<rootDir>/test/bench/'],
	modulePathIgnorePatterns: [
		'<rootDir>/dist/package.json',
		'<rootDir>/test/n8n/',
		'<rootDir>/test/lines/.installed/[^/]+/package.json',
		'<rootDir>/.stryker-tmp/',
	],
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'json', 'node'],
	transform: {
		'^.+\\.m?ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
				sourceMaps: 'inline',
			},
		],
	},
	// Only a test that hangs takes this long, however busy the machine is.
	testTimeout: 300_000,
	maxWorkers: 2,
	testSequencer: '<rootDir>/test/sequencer.js',
	// A worker keeps what each file has loaded, including n8n, and slows down. Replace it at this size.
	workerIdleMemoryLimit: '400MB',
};
