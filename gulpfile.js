/*
 * Tasks beyond `n8n-node build`: clean up after it, optimise the icons, check that the package
 * contains exactly what users need, and scan it.
 */
const { execFile } = require('node:child_process');
const { mkdtemp, readdir, rm } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Transform } = require('node:stream');
const { promisify } = require('node:util');
const gulp = require('gulp');

const run = promisify(execFile);

const MAX_BYTES = 150_000;
const MAX_PROBLEMS = 20;
const BUILT = new Set(['nodes', 'credentials', 'package.json']);
const PLAIN_FILES = ['package.json', 'README.md', 'LICENSE'];
/** Everything that may be in the package. */
const ALLOWED = [
	...PLAIN_FILES.map((name) => new RegExp(`^${name.replace('.', '\\.')}$`)),
	/^dist\/package\.json$/,
	/^dist\/nodes\/.+\.(js|json|svg)$/,
	/^dist\/credentials\/.+\.(js|svg)$/,
];
const UNWANTED = /\.(test|spec)\./;

/** Removes images that `n8n-node build` copies from elsewhere: docs, tests, other packages. */
async function tidy() {
	const strays = (await readdir('dist')).filter((name) => !BUILT.has(name));
	await Promise.all(strays.map((name) => rm(`dist/${name}`, { recursive: true })));
}

/** Optimises the icons in place; running it again changes nothing. */
async function icons() {
	const { optimize } = await import('svgo');
	const optimised = new Transform({
		objectMode: true,
		transform(file, _encoding, done) {
			const { data } = optimize(file.contents.toString(), { path: file.path, multipass: true });
			file.contents = Buffer.from(`${data}\n`);
			done(null, file);
		},
	});
	const written = gulp
		.src('nodes/**/*.svg')
		.pipe(optimised)
		.pipe(gulp.dest((file) => file.base));
	await new Promise((resolve, reject) => written.on('finish', resolve).on('error', reject));
}

/** Fails unless the package contains exactly what users need. */
async function checkPackage() {
	const { files, size } = await packed();
	const present = new Set(files.map(({ path }) => path));
	const needed = await neededFiles();
	const problems = [
		...needed.filter((path) => !present.has(path)).map((path) => `${path} is missing`),
		...[...present]
			.filter((path) => !isAllowed(path))
			.map((path) => `${path} does not belong in the package`),
		...(size < MAX_BYTES
			? []
			: [`it is ${kilobytes(size)}, over the maximum of ${kilobytes(MAX_BYTES)}`]),
	];
	if (problems.length > 0) throw failure(problems);
	console.log(`The package is complete: ${files.length} files, ${kilobytes(size)} packed.`);
}

/** Runs n8n's own analysis of community packages on the sources and on the package. */
async function scan() {
	const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(
		'@n8n/scan-community-package/scanner/scanner.mjs'
	);
	const folder = await mkdtemp(join(tmpdir(), 'scan-'));
	try {
		await run('npm', ['pack', '--silent', '--pack-destination', folder]);
		const [tarball] = await readdir(folder);
		await run('tar', ['-xzf', tarball], { cwd: folder });
		const sources = await analyzePackage(process.cwd(), SOURCE_FILE_PATTERNS);
		const built = await analyzePackage(join(folder, 'package'), ['**/*.js', 'package.json']);
		const problems = [sources, built].filter(({ passed }) => !passed);
		if (problems.length > 0)
			throw failure(problems.map(({ message, details = '' }) => `${message} ${details}`));
		console.log('The scan of the sources and the package found no problems.');
	} finally {
		await rm(folder, { recursive: true });
	}
}

function isAllowed(path) {
	return ALLOWED.some((pattern) => pattern.test(path)) && !UNWANTED.test(path);
}

async function packed() {
	const pack = ['pack', '--dry-run', '--json'];
	const { stdout } = await run('npm', pack, { maxBuffer: 64 * 1024 * 1024 });
	const [description] = JSON.parse(stdout);
	return description;
}

/**
 * What n8n looks for: everything that package.json lists, and all icons, codex files and schemas.
 */
async function neededFiles() {
	const { n8n } = require('./package.json');
	const assets = await readdir('nodes', { recursive: true });
	return [
		...PLAIN_FILES,
		...n8n.nodes,
		...n8n.credentials,
		...assets
			.filter((path) => /\.(json|svg)$/.test(path))
			.map((path) => `dist/nodes/${path.replaceAll('\\', '/')}`),
	];
}

function kilobytes(bytes) {
	return `${(bytes / 1000).toFixed(1)} kB`;
}

/** An error that gulp prints without a stack, since the problem is in the package, not here. */
function failure(problems) {
	const shown = problems.slice(0, MAX_PROBLEMS);
	if (problems.length > shown.length) shown.push(`and ${problems.length - shown.length} more`);
	const lines = shown.map((problem) => `\n  - ${problem}`).join('');
	return Object.assign(new Error(`The package has problems:${lines}`), { showStack: false });
}

exports.tidy = tidy;
exports.icons = icons;
exports.checkPackage = checkPackage;
exports.scan = scan;
exports.default = gulp.series(icons, checkPackage);
