/** Engagement: chosen from a list, by ID, or by external ID. */
import { parseEngagementId, parseExternalId } from '../values/ids';
import { INVISIBLE } from '../values/text';
import { builderHint } from './field';
import { locator } from './locator';

/** The choice in Engagement. */
export type EngagementChoice = { id: number } | { externalId: string };

/** What the editor accepts. The node refuses more, such as 1.000, and with a better message. */
const ID_PATTERN = {
	regex: `[\\d.,'${INVISIBLE}]*`,
	errorMessage: 'Enter a number such as 1001, or switch to By External ID',
};
const SLOW =
	'The list is taking a long time to load. You can also set Engagement to By ID or By External ID.';

export const engagement = locator<EngagementChoice>(
	'Engagement',
	"A customer's record. The ID comes from the service; the External ID is your own ID for the customer.",
	{
		placeholder: 'Select an engagement…',
		searchListMethod: 'searchEngagements',
		slowLoadNotice: { message: SLOW, timeout: 5000 },
	},
	{
		id: ['By ID', 'e.g. 1001', ID_PATTERN],
		externalId: ['By External ID', 'e.g. CUSTOMER-42'],
	},
	(value, label, mode) =>
		mode === 'externalId'
			? { externalId: parseExternalId(value, `${label} (By External ID)`) }
			: { id: parseEngagementId(value, label, ', or set it to By External ID') },
	builderHint(
		"Use the mode externalId for the user's own customer number, and id for an engagementId from another node. Both work here directly, so add no node that looks the engagement up.",
	),
);
