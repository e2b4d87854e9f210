/* Tasks around the package: optimise its icons, and scan it as n8n does before it verifies a node. */
const { execFile } = require('node:child_process');
const { mkdtemp, rm } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { Transform } = require('node:stream');
const { promisify } = require('node:util');
const gulp = require('gulp');

const run = promisify(execFile);

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

/** Runs n8n's own analysis of community packages on the sources and on the package. */
async function scan() {
	const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(
		'@n8n/scan-community-package/scanner/scanner.mjs'
	);
	const folder = await mkdtemp(path.join(tmpdir(), 'scan-'));
	try {
		const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder]);
		await run('tar', ['-xzf', stdout.trim()], { cwd: folder });
		const sources = await analyzePackage(process.cwd(), SOURCE_FILE_PATTERNS);
		const built = await analyzePackage(path.join(folder, 'package'), ['**/*.js', 'package.json']);
		const problems = [sources, built].filter(({ passed }) => !passed);
		const lines = problems.map(({ message, details = '' }) => `${message} ${details}`);
		// gulp prints it without a stack, since the problem is in the package, not here.
		if (lines.length > 0) throw Object.assign(new Error(lines.join('\n')), { showStack: false });
		console.log('The scan of the sources and the package found no problems.');
	} finally {
		await rm(folder, { recursive: true });
	}
}

exports.icons = icons;
exports.scan = scan;
exports.default = gulp.series(icons, scan);
