/** Hints for the user, which n8n shows above the output. */
import type { NodeExecutionHint } from 'n8n-workflow';
import { listed, quote } from '../values/inputError';

const MAX_NAMED = 5;

/** What a hint applies to: items by index, engagements by ID, external IDs, or fields by name. */
type Subject = number | string;

/** The hints; each names what it applies to. */
const texts = {
	actionRequired: (engagements: Subject[]) =>
		`${engagements.length === 1 ? '1 customer needs' : `${engagements.length} customers need`} to open the url of the item first: engagement ${listed(engagements, MAX_NAMED)}.`,
	emptyFilter: (filters: Subject[]) =>
		`An expression left ${listed(filters, MAX_NAMED)} empty, so ${filters.length === 1 ? 'this filter was' : 'these filters were'} not applied and all records were returned.`,
	nothingMatched: (items: Subject[]) => `Nothing matched the filters${ofItems(items)}.`,
	withoutUpload: (engagements: Subject[]) =>
		`${withoutUploads(engagements)} Turn on Include Missing in Options to get an item for ${engagements.length === 1 ? 'it' : 'each'}.`,
	existingReturned: ({ length }: Subject[]) =>
		length === 1
			? 'Return Existing found 1 engagement, which was returned instead of creating another.'
			: `Return Existing found ${length} engagements, which were returned instead of creating others.`,
	severalFound: (externalIds: Subject[]) =>
		`More than one engagement has the External Engagement ID ${listed(externalIds, MAX_NAMED)}. The first one was returned.`,
	missingField: (names: Subject[]) =>
		`Selected fields that no record has: ${listed(names.map(quote), MAX_NAMED)}. Check the spelling, or set Output to Raw to see all fields.`,
} satisfies Record<string, (subjects: Subject[]) => string>;

/** Collects hints, so that each is shown once, however many items it applies to. */
export class Hints {
	private readonly subjects = new Map<keyof typeof texts, Set<Subject>>();
	private readonly fields = new Map<string, boolean>();

	add(text: keyof typeof texts, subject: Subject): void {
		const known = this.subjects.get(text) ?? new Set();
		this.subjects.set(text, known.add(subject));
	}

	/** Records whether a record has a selected field. */
	recordField(name: string, isPresent: boolean): void {
		this.fields.set(name, isPresent || this.fields.get(name) === true);
	}

	get all(): NodeExecutionHint[] {
		for (const [name, isPresent] of this.fields) if (!isPresent) this.add('missingField', name);
		return [...this.subjects].map(([text, subjects]) => ({
			message: texts[text]([...subjects]),
			location: 'outputPane',
		}));
	}
}

function ofItems({ length }: Subject[]): string {
	return length === 1 ? '' : ` for ${length} of the input items`;
}

function withoutUploads(engagements: Subject[]): string {
	const ids = listed(engagements, MAX_NAMED);
	return engagements.length === 1
		? `Engagement ${ids} has no upload or does not exist.`
		: `${engagements.length} engagements have no upload or do not exist: ${ids}.`;
}
