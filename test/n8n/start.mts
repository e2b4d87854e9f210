import { introduction } from './introduction.mts';
import { KeptData } from './keptData.mts';
import { Playground } from './playground.mts';
import { readCommands } from './startCommands.mts';
import { readStartOptions } from './startOptions.mts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

async function start(interrupted: Promise<unknown>): Promise<void> {
	const { folder, isFresh, ...ports } = readStartOptions();
	const data = new KeptData(folder);
	if (isFresh) data.clear();
	const playground = await Playground.open(data, ports, console.log);
	try {
		console.log(introduction(playground.running));
		const commands = readCommands(playground, console.log);
		await interrupted;
		commands.close();
	} finally {
		await playground.close();
	}
}

async function main(): Promise<void> {
	let isInterrupted = false;
	// Keeps the process alive until then.
	const timer = setInterval(() => undefined, 60_000);
	const interrupted = new Promise((resolve) => {
		for (const signal of SIGNALS) process.once(signal, resolve);
	}).then(() => (isInterrupted = true));
	// Ctrl+C also ends whatever is in progress, so its failure is not reported.
	await start(interrupted)
		.catch((error: unknown) => {
			if (!isInterrupted) throw error;
		})
		.finally(() => clearInterval(timer));
	if (isInterrupted) console.log('Stopped. Everything is there again at the next npm start.');
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
