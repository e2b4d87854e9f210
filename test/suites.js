/**
 * The test files of `npm run test:unit` and `npm run test:properties`, which follow from what the files
 * import.
 */
const { readdirSync, readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const base = require('../jest.config.js');

/** The folders of the product. */
const PRODUCT = 'values transport service fields lookups actions trigger credentials'.split(' ');
/** What is checked in documents, examples and the list of public names. */
const DOCUMENTS = ['docs', 'examples', 'names'];
const HEAVY = ['engine/', 'service/http.mts'].map((name) => join(__dirname, 'support', name));
/** Play whole polls, though without n8n's engine and a server. */
const PLAYERS = join(__dirname, 'trigger', 'histories/');

/** A file and all test files that it imports, itself or through others; types cost nothing. */
function withImports(file, found = new Set()) {
	if (found.has(file)) return found;
	found.add(file);
	const code = readFileSync(file, 'utf8').replace(/^(import|export) type [^;]*;/gm, '');
	for (const [, name] of code.matchAll(/ from '(\..+\.mts)'/g))
		withImports(join(dirname(file), name), found);
	return found;
}

const files = [...PRODUCT, ...DOCUMENTS]
	.flatMap((folder) =>
		readdirSync(join(__dirname, folder), { recursive: true })
			.filter((name) => name.endsWith('.test.mts'))
			.map((name) => join(__dirname, folder, name)),
	)
	.map((file) => {
		const all = [...withImports(file)];
		return {
			file,
			/** Needs n8n's engine or the simulated service's server. */
			isHeavy: all.some((each) => HEAVY.some((path) => each.startsWith(path))),
			isOfDocuments: DOCUMENTS.some((folder) => file.startsWith(join(__dirname, folder))),
			playsPolls: all.some((each) => each.startsWith(PLAYERS)),
			playsFew: readFileSync(file, 'utf8').includes('fc.sample('),
			/** Tries random sequences of what happens, and so takes longer. */
			isRandom: all.some((each) => readFileSync(each, 'utf8').includes('asyncProperty(')),
		};
	});

function suite(isWanted) {
	return { ...base, testMatch: files.filter(isWanted).map(({ file }) => file) };
}

module.exports = {
	/** Examples of the pure parts, for quick feedback while working. */
	unit: suite((file) => !file.isHeavy && !file.isRandom && (!file.playsPolls || file.playsFew)),
	/** Random input, some of it in n8n's engine. */
	properties: suite(({ isRandom }) => isRandom),
	/** Both, as far as they are quick enough to run once for each mutant. */
	mutation: {
		...suite(({ file, isHeavy, isOfDocuments, isRandom, playsPolls }) => {
			// The trigger's parts work together, so whole polls test them.
			if (file.startsWith(join(__dirname, 'trigger'))) return true;
			return !isHeavy && !isOfDocuments && (isRandom || !playsPolls);
		}),
		// Stryker takes no `<rootDir>`.
		testEnvironment: join(__dirname, 'environment.js'),
		runner: join(__dirname, 'firstFailure.js'),
		// Some mutants wait forever.
		testTimeout: 20_000,
	},
};
