/** Asks all questions, and ends with a summary without secrets and customers. */
import { Account, Stop, type AccountSettings } from './account.mts';
import { questions } from './questions.mts';

const VERDICTS = ['DIFFERENT', 'unknown', 'as assumed'] as const;

/** Asks the questions in order, and prints each answer; whether it could ask them all. */
export async function probe(settings: AccountSettings, print: (text: string) => void) {
	const account = new Account({ ...settings });
	const summary: Array<{ verdict: string; line: string }> = [];
	let stopped = '';
	for (const [name, { assumed, find }] of Object.entries(questions)) {
		const [holds, seen] = await find(account).catch((error: Error): [undefined, string] => {
			if (error instanceof Stop) stopped = error.message;
			return [undefined, error.message];
		});
		const verdict = VERDICTS[holds === undefined ? 1 : holds ? 2 : 0];
		print(account.hide(`${name}: ${verdict}\n  assumed  ${assumed}\n  seen     ${seen}`));
		summary.push({ verdict, line: `${verdict}  ${name}` });
		if (stopped !== '') break;
	}
	const rows = VERDICTS.flatMap((each) => summary.filter(({ verdict }) => verdict === each));
	const lines = rows.map(({ line }) => line);
	if (stopped !== '') lines.push(`stopped  ${account.hide(stopped)}`);
	print(
		`\nSummary, without secrets and customers\n${lines.join('\n')}\n${account.requests} requests`,
	);
	return stopped === '';
}
