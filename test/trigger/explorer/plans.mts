/** The small worlds that are explored: at least one for each event. */
import { oldUpload, type Plan } from './smallWorld.mts';

const usual = {
	orderings: ['honoured'],
	durable: false,
	startFrom: 'now',
	maxUploads: 1000,
	pageSize: 2,
	lastHour: 9,
} satisfies Partial<Plan>;

const status = {
	...usual,
	event: 'uploadStatusChanged',
	uploads: [oldUpload(-1, null), null],
	changes: [
		['process', 'complete', 'archive'],
		['start', 'process', 'reload', 'fail'],
	],
} satisfies Partial<Plan>;

export const plans: Plan[] = [
	{
		...usual,
		name: 'completed',
		event: 'uploadCompleted',
		uploads: [oldUpload(-1), oldUpload(-1, null), null],
		changes: [
			['move', 'archive'],
			['complete', 'completeLate', 'abort', 'recover'],
			['start', 'complete', 'completeLate', 'remove'],
		],
		disturbances: ['failingPoll'],
		depth: 9,
	},
	{
		...usual,
		name: 'completed, any order',
		event: 'uploadCompleted',
		uploads: [oldUpload(-9, null), oldUpload(-5), null],
		changes: [['complete'], ['move'], ['start', 'complete', 'completeLate']],
		orderings: ['honoured', 'ignored', 'refused'],
		disturbances: ['slippingPoll'],
		depth: 8,
	},
	{
		...usual,
		name: 'completed, backlog',
		event: 'uploadCompleted',
		uploads: [oldUpload(-2), oldUpload(-5), null],
		changes: [['move'], [], ['start', 'complete', 'completeLate']],
		orderings: ['honoured', 'ignored'],
		startFrom: 'beginning',
		maxUploads: 1,
		disturbances: ['failingPoll', 'overlappingPolls'],
		depth: 8,
	},
	{
		...usual,
		name: 'completed, durable',
		event: 'uploadCompleted',
		uploads: [oldUpload(-1), null, null],
		changes: [
			['move'],
			['start', 'complete', 'abort', 'recover'],
			['start', 'complete', 'completeLate'],
		],
		durable: true,
		disturbances: ['failingPoll', 'overlappingPolls'],
		depth: 8,
	},
	{
		...usual,
		name: 'started',
		event: 'uploadStarted',
		uploads: [oldUpload(-1), null, null, null],
		changes: [
			['remove'],
			['start', 'startLate', 'remove'],
			['start', 'startLate', 'complete'],
			['start'],
		],
		disturbances: ['discardedPoll'],
		depth: 8,
	},
	{
		...usual,
		name: 'failed',
		event: 'uploadFailed',
		uploads: [oldUpload(-1, null), null, null],
		changes: [['fail'], ['start', 'startLate', 'fail', 'recover'], ['start', 'complete', 'abort']],
		disturbances: ['unfollowingPoll', 'discardedPoll'],
		depth: 8,
	},
	{
		...status,
		name: 'status',
		disturbances: ['failingPoll', 'unfollowingPoll', 'slippingPoll'],
		depth: 9,
	},
	{
		...status,
		name: 'status, durable',
		durable: true,
		disturbances: ['unfollowingPoll', 'overlappingPolls'],
		depth: 8,
	},
	{
		...usual,
		name: 'stuck',
		event: 'uploadStuck',
		uploads: [oldUpload(-1, null), null, null],
		changes: [['fail'], ['start', 'startLate', 'complete'], ['start', 'fail']],
		disturbances: ['unfollowingPoll', 'overlappingPolls'],
		depth: 8,
	},
];
