/** Asks all questions, and ends with a summary without secrets and customers. */
import { Account, RateLimited, Unanswered, type AccountSettings } from './account.mts';
import { questions as ofIdentity } from './identity.mts';
import { questions as ofLists, token } from './lists.mts';
import { questions as ofPeople } from './people.mts';
import type { Finding, Question } from './question.mts';
import { questions as ofRecords } from './records.mts';

export const questions: Question[] = [token, ...ofLists, ...ofIdentity, ...ofRecords, ...ofPeople];

const VERDICTS = ['DIFFERENT', 'unknown', 'as assumed'] as const;

interface Answered {
	name: string;
	verdict: (typeof VERDICTS)[number];
	seen: string;
}

/** Asks the questions in order, and prints each answer; whether it could ask them all. */
export async function probe(
	settings: AccountSettings,
	print: (text: string) => void,
	asked = questions,
) {
	const account = new Account({ ...settings });
	const say = (text: string) => print(account.hide(text));
	const answers: Answered[] = [];
	let stopped = '';
	for (const { name, assumed, find } of asked) {
		const [holds, seen, quote = ''] = await find(account).catch((error: Error): Finding => {
			if (error instanceof RateLimited) stopped = error.message;
			return [undefined, error.message, error instanceof Unanswered ? error.quote : ''];
		});
		const verdict = holds === undefined ? 'unknown' : holds ? 'as assumed' : 'DIFFERENT';
		answers.push({ name, verdict, seen });
		const said = quote === '' ? '' : `\n  said     ${quote}`;
		say(`${name}: ${verdict}\n  assumed  ${assumed}\n  seen     ${seen}${said}`);
		const { accessToken, clientId } = account.settings;
		if (accessToken === '') stopped = 'there is no token';
		else if (clientId === '') stopped = 'there is no client ID';
		if (stopped !== '') break;
	}
	say(`\nSummary, without secrets and customers\n${summarise(answers, stopped, asked.length)}`);
	say(`${account.requests} requests`);
	return stopped === '';
}

function summarise(answers: readonly Answered[], stopped: string, count: number): string {
	const lines = VERDICTS.flatMap((verdict) =>
		answers
			.filter((each) => each.verdict === verdict)
			.map(({ name, seen }) => `${verdict.padEnd(10)}  ${name}: ${seen}`),
	);
	const left = count - answers.length;
	if (stopped !== '') lines.push(`stopped     ${stopped}; ${left} questions were not asked`);
	return lines.join('\n');
}
