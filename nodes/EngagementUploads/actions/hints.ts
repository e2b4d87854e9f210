/** Hints for the user, which n8n shows above the output. */
import type { NodeExecutionHint } from 'n8n-workflow';
import { joinFirst } from '../values/inputError';

/** What a hint names: engagements by ID, external IDs, statuses, or filters by label. */
type Subject = number | string;

/** The singular or the plural. */
type Grammar = (one: string, several: string) => string;

/** Each hint, by what it is about. */
const texts = {
	withoutCompletion: (ids: string, by: Grammar) =>
		`The last completed ${by('upload of engagement', 'uploads of engagements')} ${ids} could not be looked up, so 'completionDate' and 'ageDays' are empty. Run the node again, or check that the credential may read uploads.`,
	withoutRecent: (why: string) =>
		`Newer failed or unfinished uploads may be missing, since only the last uploads could be read. ${why}`,
	mostDisabled: (share: string) =>
		`Of the engagements with uploads, ${share} count as disabled: 'active' is false in their last upload. If these customers are not disabled in the service, go by 'ageDays' instead.`,
	actionRequired: (ids: string, by: Grammar) =>
		`The customer must first open the link in 'url' (${by('engagement', 'engagements')} ${ids}).`,
	otherAction: (actions: string) =>
		`The service sent no link for the customer, but an action that this node does not know: ${actions}. Ask the provider of the service whether somebody must act.`,
	emptyScope: (ids: string, by: Grammar) =>
		`An expression left Scope empty, so the service decides which data to extract (${by('engagement', 'engagements')} ${ids}).`,
	emptyFilter: (filters: string, by: Grammar) =>
		`An expression left ${filters} empty. ${by('An empty filter is', 'Empty filters are')} not applied, so all records were returned.`,
	withoutUpload: (ids: string, by: Grammar) =>
		`${by(`Engagement ${ids} has no upload or does not`, `Engagements ${ids} have no upload or do not`)} exist. Turn on Include Missing in Options to get an item for ${by('it', 'each of them')}.`,
	unfound: (ids: string, by: Grammar) =>
		`Nothing was found for the External Engagement ${by('ID', 'IDs')} ${ids}.`,
	unclearStatus: (statuses: string, by: Grammar) =>
		`The ${by('status', 'statuses')} ${statuses} ${by('says', 'say')} neither that an upload completed, nor that it failed or is in progress. Uploads with ${by('it', 'them')} count as unfinished.`,
	otherConnectors: (names: string, by: Grammar) =>
		`No upload matched Connector Names or IDs, because uploads use different connector names from the service's list of connectors: ${names}. To filter by ${by('this name', 'these names')}, use a Filter node on 'connectorName' instead.`,
	listChanged: (lists: string) =>
		`The list of ${lists} changed while it was read, so some may be missing. Run the node again; if there is Sort, sort by a field that is unique, such as an ID.`,
	contactMissing: (ids: string, by: Grammar) =>
		`The service returned no contact for ${by('engagement', 'engagements')} ${ids}, although Use Portal was sent. Check in its portal whether there is one.`,
	notListed: (ids: string, by: Grammar) =>
		`${by('This engagement was', 'These engagements were')} created in the last few minutes, but the service does not list ${by('it', 'them')}, yet or no longer: ${ids}. ${by('It was returned as it was', 'They were returned as they were')} created.`,
	severalFound: (ids: string, by: Grammar) =>
		`More than one engagement has ${by('the', 'each')} External Engagement ID ${ids}. The first was returned.`,
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
			message: texts[text](joinFirst([...subjects]), (one, several) =>
				subjects.size === 1 ? one : several,
			),
			location: 'outputPane',
		}));
	}
}
