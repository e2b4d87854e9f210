/** `npm run demo`: the main job of this package, in n8n's own engine, with the simulated service. */
import { ensureBuilt } from '../n8n/community.mts';
import { readCommandLine } from '../support/commandLine.mts';

const COMMAND = {
	name: 'npm run demo',
	purpose: [
		'Shows the main job of this package in n8n’s own engine, with the simulated service: whose data',
		'are old or missing, a refresh that completes, and the trigger that emits each upload once, also',
		'when n8n restarts. Takes less than a minute, needs no account, and keeps nothing.',
	],
	options: {},
};

async function main(): Promise<void> {
	readCommandLine(COMMAND);
	await ensureBuilt(console.log);
	// Loads n8n, which takes a few seconds.
	const { playStory } = await import('./story.mts');
	await playStory();
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});
