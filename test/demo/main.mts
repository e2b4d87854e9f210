/** `npm run demo`: the main job of this package, in n8n's own engine, with the simulated service. */
import { ensureBuilt } from '../n8n/community.mts';

async function main(): Promise<void> {
	await ensureBuilt(console.log);
	// Loads n8n, which takes a few seconds.
	const { playStory } = await import('./story.mts');
	await playStory();
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : String(error));
	process.exitCode = 1;
});
