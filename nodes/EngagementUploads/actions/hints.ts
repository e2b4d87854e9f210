/** Hints for the user, which n8n shows above the output. */
import type { NodeExecutionHint } from 'n8n-workflow';
import { joinFirst } from '../values/inputError';

const MAX_NAMED = 5;

/** What a hint names: engagements by ID, external IDs, or filters by label. */
type Subject = number | string;

/** Each hint, by what it is about. */
const texts = {
	withoutCompletion: (engagements: string) =>
		`The last completed upload of engagement ${engagements} could not be looked up, so completionDate and ageDays are empty. Run the node again, or check that the credential may read uploads.`,
	actionRequired: (engagements: string) =>
		`For engagement ${engagements}, the customer must first open the url in the item.`,
	emptyFilter: (filters: string) =>
		`An expression left ${filters} empty. An empty filter is not applied, so all records were returned.`,
	withoutUpload: (engagements: string) =>
		`No upload was found for engagement ${engagements}. Turn on Include Missing in Options to get an item for each engagement without one.`,
	listChanged: (lists: string) =>
		`The list of ${lists} changed while it was read, so some may be missing. Run the node again.`,
	sortedListChanged: (lists: string) =>
		`The list of ${lists} changed while it was read, so some may be missing. Sort by a field that is unique, such as an ID, or run the node again.`,
	severalFound: (externalIds: string) =>
		`More than one engagement has the External Engagement ID ${externalIds}. The first one was returned.`,
};

/** Collects hints, so that each is shown once, however many items it applies to. */
export class Hints {
	private readonly subjects = new Map<keyof typeof texts, Set<Subject>>();

	add(text: keyof typeof texts, subject: Subject): void {
		const known = this.subjects.get(text) ?? new Set();
		this.subjects.set(text, known.add(subject));
	}

	get all(): NodeExecutionHint[] {
		return [...this.subjects].map(([text, subjects]) => ({
			message: texts[text](joinFirst([...subjects], MAX_NAMED)),
			location: 'outputPane',
		}));
	}
}
