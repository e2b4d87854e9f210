import { lastLinesOf } from './command.mts';
import { introduction } from './introduction.mts';
import { KeptData } from './keptData.mts';
import { openPlayground } from './playground.mts';
import { readStartOptions, type StartOptions } from './startOptions.mts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function start(
	data: KeptData,
	options: StartOptions,
	interrupted: Promise<unknown>,
): Promise<void> {
	const playground = await openPlayground(data, options, console.log);
	const { n8n } = playground;
	try {
		console.log(introduction(playground));
		const ended = n8n.ended.then(() => {
			throw new Error(`n8n has ended. The end of its log:\n${lastLinesOf(n8n.log, 5)}`);
		});
		await Promise.race([interrupted, ended]);
	} finally {
		await playground.close();
	}
}

async function main(): Promise<void> {
	const options = readStartOptions();
	const data = new KeptData(options.folder);
	let isInterrupted = false;
	// Keeps the process alive until then.
	const timer = setInterval(() => undefined, 60_000);
	const interrupted = new Promise((resolve) => {
		for (const signal of SIGNALS) process.once(signal, resolve);
	}).then(() => (isInterrupted = true));
	// Ctrl+C also ends whatever is in progress, so its failure is not reported.
	await start(data, options, interrupted)
		.catch((error: unknown) => {
			if (!isInterrupted) throw error;
		})
		.finally(() => clearInterval(timer));
	if (!isInterrupted) return;
	const next = data.isComplete
		? 'The next npm start with the same options continues with all data.'
		: 'Nothing was set up yet, so the next npm start begins with new data.';
	console.log(`Stopped. ${next}`);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
