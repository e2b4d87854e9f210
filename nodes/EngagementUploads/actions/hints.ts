/** Notes for the user, which n8n shows above the output; they are not part of it. */
import type { NodeExecutionHint } from 'n8n-workflow';

const MAX_NAMED = 5;

/** The notes; each names what it applies to, items by index or engagements by ID. */
const texts = {
	nothingMatched: (items: number[]) => `Nothing matched the Filters${ofItems(items)}.`,
	withoutUpload: (engagements: number[]) =>
		`${named(engagements)} Turn on Include Missing to get an item for each.`,
} satisfies Record<string, (subjects: number[]) => string>;

/** Collects notes, so that each is shown once, however many items it applies to. */
export class Hints {
	private readonly subjects = new Map<keyof typeof texts, Set<number>>();

	add(text: keyof typeof texts, subject: number): void {
		const known = this.subjects.get(text) ?? new Set();
		this.subjects.set(text, known.add(subject));
	}

	get all(): NodeExecutionHint[] {
		return [...this.subjects].map(([text, subjects]) => ({
			message: texts[text]([...subjects]),
			location: 'outputPane',
		}));
	}
}

function ofItems({ length }: number[]): string {
	return length === 1 ? '' : ` for ${length} of the input items`;
}

function named(engagements: number[]): string {
	const more = engagements.length > MAX_NAMED ? ' …' : '';
	const ids = `${engagements.slice(0, MAX_NAMED).join(', ')}${more}`;
	return engagements.length === 1
		? `Engagement ${ids} has no upload or does not exist.`
		: `${engagements.length} engagements have no upload or do not exist: ${ids}.`;
}
