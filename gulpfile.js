/*
 * What `n8n-node build` does not do: tidy up behind it, optimise the icons, derive the output
 * previews, and check that the packed package holds what users need and nothing else.
 */
const { execFile } = require('node:child_process');
const { readdir, rm } = require('node:fs/promises');
const { Transform } = require('node:stream');
const { promisify } = require('node:util');
const gulp = require('gulp');

const MOST_BYTES = 150_000;
const MOST_COMPLAINTS = 20;
const BUILT = new Set(['nodes', 'credentials', 'package.json']);
const PLAIN_FILES = ['package.json', 'README.md', 'LICENSE'];
/** All that may be in the package. */
const ALLOWED = [
	...PLAIN_FILES.map((name) => new RegExp(`^${name.replace('.', '\\.')}$`)),
	/^dist\/package\.json$/,
	/^dist\/nodes\/.+\.(js|json|svg)$/,
	/^dist\/credentials\/.+\.(js|svg)$/,
];
const UNWANTED = /\.(test|spec)\./;

/** Removes the pictures that `n8n-node build` gathers from beside the nodes: docs, tests, other packages. */
async function tidy() {
	const strays = (await readdir('dist')).filter((name) => !BUILT.has(name));
	await Promise.all(strays.map((name) => rm(`dist/${name}`, { recursive: true })));
}

/** Optimises the icons in place; a second time changes nothing. */
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

/** Derives the output previews of the editor from what the nodes return on the simulated service. */
async function previews() {
	await promisify(execFile)('npx', ['tsx', 'test/preview/main.mts']);
}

/** Fails unless the packed package holds what users need, and just that. */
async function checkPackage() {
	const { files, size } = await packed();
	const present = new Set(files.map(({ path }) => path));
	const needed = await neededFiles();
	const complaints = [
		...needed.filter((path) => !present.has(path)).map((path) => `${path} is missing`),
		...[...present]
			.filter((path) => !isAllowed(path))
			.map((path) => `${path} does not belong here`),
		...(size < MOST_BYTES
			? []
			: [`${kilobytes(size)} are too many, ${kilobytes(MOST_BYTES)} at most`]),
	];
	if (complaints.length > 0) throw failure(complaints);
	console.log(`The package is in order: ${files.length} files, ${kilobytes(size)} packed.`);
}

function isAllowed(path) {
	return ALLOWED.some((pattern) => pattern.test(path)) && !UNWANTED.test(path);
}

async function packed() {
	const pack = ['pack', '--dry-run', '--json'];
	const { stdout } = await promisify(execFile)('npm', pack, { maxBuffer: 64 * 1024 * 1024 });
	const [description] = JSON.parse(stdout);
	return description;
}

/** What n8n looks for: everything that the package names, and all icons, codex files and schemas. */
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

/** An error that gulp prints without a stack: what is wrong is in the package, not here. */
function failure(complaints) {
	const shown = complaints.slice(0, MOST_COMPLAINTS);
	if (complaints.length > shown.length) shown.push(`and ${complaints.length - shown.length} more`);
	const lines = shown.map((complaint) => `\n  - ${complaint}`).join('');
	return Object.assign(new Error(`The package is not in order:${lines}`), { showStack: false });
}

exports.tidy = tidy;
exports.icons = icons;
exports.previews = previews;
exports.checkPackage = checkPackage;
exports.default = gulp.series(icons, checkPackage);
