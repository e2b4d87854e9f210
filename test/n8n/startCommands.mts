import { createInterface, type Interface } from 'node:readline';
import type { Print } from './command.mts';
import type { Playground } from './playground.mts';

/** Commands that can be typed while `npm start` runs. */
const COMMANDS: Record<string, (playground: Playground) => Promise<string>> = {
	'stop n8n': async (playground) => await playground.finishN8n('stop'),
	'kill n8n': async (playground) => await playground.finishN8n('kill'),
	'start n8n': async (playground) => await playground.startN8n(),
	'stop service': async (playground) => await playground.stopService(),
	'start service': async (playground) => await playground.startService(),
};

/** The commands, for people to read. */
export const COMMAND_NAMES = Object.keys(COMMANDS).map((name) => `“${name}”`);

/** Executes the typed commands, one after the other, until it is closed. */
export function readCommands(playground: Playground, print: Print): Interface {
	let last: Promise<void> = Promise.resolve();
	const lines = createInterface({ input: process.stdin });
	lines.on('line', (line) => {
		last = last.then(async () => await carryOut(line.trim(), playground, print));
	});
	return lines;
}

async function carryOut(line: string, playground: Playground, print: Print): Promise<void> {
	if (line === '') return;
	const command = COMMANDS[line];
	if (command === undefined) {
		print(`There is no command “${line}”. Type ${COMMAND_NAMES.join(', ')}, or press Ctrl+C.`);
		return;
	}
	try {
		print(await command(playground));
	} catch (error) {
		print(error instanceof Error ? error.message : String(error));
	}
}
