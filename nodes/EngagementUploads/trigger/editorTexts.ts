/** What the trigger's panel shows, and what n8n's AI workflow builder reads about the trigger. */
import type { INodeTypeDescription } from 'n8n-workflow';

const TEST =
	'<b>While you build the workflow</b>, fetch a test event: you get up to five of the latest matching uploads. This changes nothing, and the trigger can still pass them on.';
const RUNS = 'These runs are in the <a data-key="executions">executions list</a>, not here.';

export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	executionsHelp: {
		inactive: `${TEST}<br /><br /><b>Once you publish it</b>, n8n looks for uploads at the Poll Times, and runs the workflow if there are any. ${RUNS}`,
		active: `${TEST}<br /><br /><b>The workflow is published</b>, so n8n looks for uploads at the Poll Times, and runs it if there are any. ${RUNS}`,
	},
	activationHint: {
		inactive:
			'Shows up to five of the latest matching uploads. Publish the workflow to run it for each new one.',
		active:
			'Shows up to five of the latest matching uploads. Runs for new ones are in the executions list.',
	},
};

export const builderHint: INodeTypeDescription['builderHint'] = {
	searchHint: [
		'Emits each upload once, all of a poll in one run.',
		'Unlike the cursors of most polling triggers, its position survives publishing the workflow again, restarts, failed polls, and switching off and on, so add no deduplication.',
		'If Event, Start From or Start Date is changed, the trigger starts over; a changed filter may also emit matching uploads from the past few days.',
		'For failed uploads, use Upload Failed.',
	].join(' '),
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-engagement-uploads.engagementUploads',
			relationHint: 'Gets more details of the upload, its engagement or its company',
		},
	],
};
