/** `npm run probe`: see docs/service.md#checking-an-account. */
import { runProbe, reportOf } from './probe.mts';
import { readSettings } from './settings.mts';

async function main(): Promise<void> {
	const { rows, connection } = await runProbe(readSettings(process.env));
	console.log(reportOf(rows, connection));
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
