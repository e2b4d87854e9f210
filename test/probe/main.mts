/** `npm run probe`: see docs/service.md#checking-an-account. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { runProbe, tableOf } from './probe.mts';
import { recordingOf } from './recording.mts';
import { readSettings } from './settings.mts';

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { record: { type: 'string' } } });
	const settings = readSettings(process.env);
	const { rows, connection } = await runProbe(settings);
	console.log(tableOf(rows, connection));
	if (values.record === undefined) return;
	writeFileSync(values.record, recordingOf(connection, settings.credential.base));
	console.log(`Recorded in ${values.record}`);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
