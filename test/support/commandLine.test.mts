import { execFileSync } from 'node:child_process';

/** What a command prints, and on which stream it failed. */
function run(script: string, ...options: string[]): { output: string; failure: string } {
	try {
		const args = ['--import', 'tsx', script, ...options];
		const output = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' });
		return { output, failure: '' };
	} catch (error) {
		return { output: '', failure: String((error as { stderr?: string }).stderr) };
	}
}

test.each([
	['npm start', 'test/n8n/start.mts', ['5678', '5679', 'test/n8n/.data', 'no']],
	['npm run service', 'test/support/service/main.mts', ['any free one']],
	['npm run demo', 'test/demo/main.mts', []],
])('%s -- --help names every option with its default', (name, script, defaults) => {
	const { output, failure } = run(script, '--help');
	expect(failure).toBe('');
	expect(output).toContain(`Usage: ${name}`);
	const options = output.split('\n').filter((line) => line.startsWith('  --'));
	expect(options.at(-1)).toContain('--help');
	const shown = options.slice(0, -1).map((line) => /\(default: (.+)\)$/.exec(line)?.[1]);
	expect(shown).toHaveLength(defaults.length);
	for (const [index, value] of defaults.entries()) expect(shown[index]).toContain(value);
});

test.each([
	['--nonsense', /^Unknown option '--nonsense'\. npm start -- --help shows the options\.\n$/],
	['--n8n-port=none', /^--n8n-port must be a number from 1 to 65535, not “none”\n$/],
])('%s is refused in a sentence', (option, sentence) => {
	expect(run('test/n8n/start.mts', option).failure).toMatch(sentence);
});
