/** What the canvas shows about the action node, and what n8n's AI workflow builder reads about it. */
import type { INodeTypeDescription } from 'n8n-workflow';
import { operations } from './operations';

const SMALL_WORDS = ['and', 'for', 'of'];

/** An expression for the chosen operation's entry in the list of actions, in title case. */
export const subtitle = `={{ ${JSON.stringify(
	Object.fromEntries(
		operations.map((each) => [`${each.resource} ${each.operation}`, toTitleCase(each.action)]),
	),
)}[$parameter["resource"] + " " + $parameter["operation"]] }}`;

function toTitleCase(text: string): string {
	return text.replace(/\w+/g, (word) =>
		SMALL_WORDS.includes(word) ? word : `${word.charAt(0).toUpperCase()}${word.slice(1)}`,
	);
}

export const builderHint: INodeTypeDescription['builderHint'] = {
	searchHint: [
		'Which operation to use for what. Customers: Engagement > Get Many; one of them by its ID or External ID: Engagement > Get.',
		'Whose data is old, missing, failed or stuck: Engagement > Get Data Status (one node for all customers).',
		'When a customer last shared data: Upload > Get Last (one node for all IDs, as a list or one per item).',
		'Uploads by date and outcome, such as failed: Upload > Get Many; one by its Upload ID: Upload > Get. How far an upload has got: Upload > Get Steps.',
		'New data without the customer: Data Refresh > Run. New data from the customer: Upload > Start, then send them the url.',
		'The node follows pages (Return All), reads items in parallel and retries after rate limits and outages by itself, so add no loop, wait or retry around it.',
		'It returns records about uploads, never balances or ledgers.',
		'To react to uploads use engagementUploadsTrigger.',
	].join(' '),
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-engagement-uploads.engagementUploadsTrigger',
			relationHint: 'Runs a workflow when an upload completes, fails or changes in another way',
		},
	],
};
