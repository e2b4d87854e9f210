/** CONTRIBUTING.md names a test for each file of the product. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const SOURCES = 'nodes/EngagementUploads';

/** What the table of tests covers, with the test to run. */
function rows(): Array<{ paths: string[]; command: string }> {
	const text = readFileSync('CONTRIBUTING.md', 'utf8');
	const [, section = ''] = text.split('## Running the right test\n');
	return [...(section.split('\n## ')[0]?.matchAll(/^\| (`.+) \| `(.+)` \|$/gm) ?? [])].map(
		([, paths = '', command = '']) => ({
			paths: [...paths.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
			command,
		}),
	);
}

it('names a test for each file of the product', () => {
	const paths = rows().flatMap((row) => row.paths);
	const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
	const isCovered = (file: string) => paths.some((path) => file.startsWith(path));
	const missing = files.filter(
		(file) => file.includes('/') && file.endsWith('.ts') && !isCovered(file),
	);
	if (missing.length > 0)
		throw new Error(
			`Add a row for ${missing.join(', ')} to “Running the right test” in CONTRIBUTING.md`,
		);
});

it('names files and tests that exist', () => {
	const commands = rows().filter(({ command }) => command !== 'npm run test:unit');
	const tests = commands.flatMap(({ command }) => command.replace('npx jest ', '').split(' '));
	const files = [
		...rows().flatMap(({ paths }) => paths.map((path) => `${SOURCES}/${path}`)),
		...tests.map((test) => `${test}.test.mts`),
	];
	const gone = files.filter((file) => !existsSync(file));
	if (gone.length > 0)
		throw new Error(
			`“Running the right test” in CONTRIBUTING.md names ${gone.join(', ')}, which is gone`,
		);
	expect(commands.length).toBeGreaterThan(5);
});
