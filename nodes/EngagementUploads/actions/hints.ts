/** What the user is told beside the items: n8n shows it above the output, it is no part of it. */
import type { NodeExecutionHint } from 'n8n-workflow';

const MOST_NAMED = 5;

/** The remarks; each says of what it is true, item numbers or engagements. */
const texts = {
	limitReached: (items: Subject[]) =>
		`Limit was reached${ofItems(items)}, so there may be more. Switch Return All on to get everything.`,
	nothingMatched: (items: Subject[]) => `Nothing matched the Filters${ofItems(items)}.`,
	withoutUpload: (engagements: Subject[]) =>
		`No upload yet, or no such engagement, and so no item, for ${named(engagements)}. Switch the option Include Missing on to get an item for each.`,
} satisfies Record<string, (subjects: Subject[]) => string>;

type Subject = number;

/** Gathers remarks, so that each comes once, however many items it is true of. */
export class Hints {
	private readonly subjects = new Map<keyof typeof texts, Set<Subject>>();

	add(text: keyof typeof texts, subject: Subject): void {
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

function ofItems({ length }: Subject[]): string {
	return length === 1 ? '' : ` for ${length} of the input items`;
}

function named(engagements: Subject[]): string {
	const kind = engagements.length === 1 ? 'engagement' : `${engagements.length} engagements:`;
	const more = engagements.length > MOST_NAMED ? ' …' : '';
	return `${kind} ${engagements.slice(0, MOST_NAMED).join(', ')}${more}`;
}
