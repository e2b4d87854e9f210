/* Random runs of writes. */

import * as fc from 'fast-check';
import type { OnError } from 'n8n-workflow';

import type { RecordedRequest } from '../support/service/log.mts';

/** What happens to a write that reaches the service. */
export type Fate =
	| 'done'
	| 'refused'
	| 'throttled'
	| 'lost'
	| 'doneAndLost'
	| 'doneAnd502'
	| 'doneAndHtml';

export type Operation = 'create' | 'schedule' | 'start' | 'refresh' | 'refreshAndWait';

interface RandomItem {
	/** An engagement, by its position among the existing ones. */
	engagement: number;
	/** The external ID of an engagement to create. */
	external: string;
	returnExisting: boolean;
}

export interface WriteRun {
	operation: Operation;
	items: RandomItem[];
	/** In the order in which writes arrive; any further ones succeed. */
	fates: Fate[];
	onError: OnError;
	/** Attempts under Retry On Fail; 1 without it. */
	maxTries: number;
	parallelRequests: number;
	/** How often the node runs with these items. */
	runs: number;
}

/** A write as it reached the service. */
export interface Arrival {
	item: number;
	fate: Fate;
	request: RecordedRequest;
}

export const writeRuns: fc.Arbitrary<WriteRun> = fc.record({
	operation: fc.constantFrom<Operation>(
		'create',
		'create',
		'schedule',
		'start',
		'refresh',
		'refreshAndWait',
	),
	items: fc.array(
		fc.record({
			engagement: fc.nat(2),
			external: fc.constantFrom('', '', 'X', 'x', 'Y', 'E1'),
			returnExisting: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 6 },
	),
	fates: fc.array(
		fc.constantFrom<Fate>(
			'done',
			'done',
			'refused',
			'throttled',
			'lost',
			'doneAndLost',
			'doneAnd502',
			'doneAndHtml',
		),
		{ maxLength: 10 },
	),
	onError: fc.constantFrom<OnError>('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	maxTries: fc.integer({ min: 1, max: 3 }),
	parallelRequests: fc.constantFrom(1, 3, 64),
	runs: fc.integer({ min: 1, max: 2 }),
});
