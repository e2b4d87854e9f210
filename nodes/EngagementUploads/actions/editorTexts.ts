/** What the canvas shows about the action node, and what n8n's AI workflow builder reads about it. */
import type { INodeTypeDescription } from 'n8n-workflow';
import { operations } from './operations';

/** An expression for what the chosen operation does, by its entry in the list of actions. */
export const subtitle = `={{ ${JSON.stringify(
	Object.fromEntries(
		operations.map((each) => [`${each.resource} ${each.operation}`, toSubtitle(each.action)]),
	),
)}[$parameter["resource"] + " " + $parameter["operation"]] }}`;

/** “Get last upload of each engagement” → “Get Last Upload”; the canvas has room for little more. */
function toSubtitle(action: string): string {
	const [short = action] = action.split(/ (?:of|and) /);
	return short.replace(/\b\w/g, (letter) => letter.toUpperCase());
}

export const builderHint: INodeTypeDescription['builderHint'] = {
	searchHint: [
		'Customers: Engagement > Get Many; one of them by its ID or External ID: Engagement > Get.',
		'Whose data is stale or missing, or whose last upload failed or is stuck: Engagement > Get Data Status (one node for all customers, which can filter by relationship manager).',
		"When a customer last shared data: Upload > Get Last, by the service's ID or your own.",
		'Uploads by date and outcome, such as failed: Upload > Get Many; one by its Upload ID: Upload > Get. How far an upload has got: Upload > Get Steps.',
		'New data without the customer: Data Refresh > Run. New data from the customer: Upload > Start, then send them the url.',
		'The node follows pages (Return All), reads items in parallel and retries after rate limits and outages by itself, so add no loop, wait or retry around it.',
		'It returns records about uploads, never balances or ledgers.',
		'To react to uploads use engagementUploadsTrigger.',
	].join(' '),
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-engagement-uploads.engagementUploadsTrigger',
			relationHint: 'Runs a workflow when an upload completes, fails, gets stuck or changes status',
		},
	],
};
