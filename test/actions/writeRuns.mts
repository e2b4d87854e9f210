/* Random runs of writes. */

import * as fc from 'fast-check';
import type { IDataObject, OnError } from 'n8n-workflow';

import type { RecordedRequest } from '../support/service/log.mts';

/** What happens to a write that reaches the service. */
const FATES = [
	...(['done', 'done', 'refused', 'throttled'] as const),
	...(['lost', 'doneAndLost', 'doneAnd502', 'doneAndHtml'] as const),
];
export type Fate = (typeof FATES)[number];

/** What else happens when a request that reads, or asks for a token, arrives. */
const EVENTS = ['none', 'none', 'none', 'unavailable', 'denied', 'tokenExpires'] as const;
export type Event = (typeof EVENTS)[number];

const ofConnector = { engagementId: '={{ $json.engagement }}', connectorName: 'cloudbooks' };

/**
 * The parameters of each operation that writes, with expressions for the fields of a random item.
 * What an item sends must contain its `marker`: for an engagement, in Custom Body.
 */
export const writes = {
	'engagement.create': {
		name: '={{ $json.marker }}',
		additionalFields: {
			externalEngagementId: '={{ $json.external }}',
			returnExisting: '={{ $json.returnExisting && $json.external !== "" }}',
		},
	},
	'dataRefresh.schedule': {
		engagementId: '={{ $json.engagement }}',
		scheduleStartDate: '2026-12-01',
	},
	'upload.start': ofConnector,
	'dataRefresh.run': ofConnector,
	'dataRefresh.run with Wait for Completion': { ...ofConnector, waitForCompletion: true },
} satisfies Record<string, IDataObject>;

export type Operation = keyof typeof writes;

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
	/** In the order in which other requests arrive. */
	events: Event[];
	onError: OnError;
	/** Attempts under Retry On Fail; 1 without it. */
	maxTries: number;
	parallelRequests: number;
	/** How long an upload takes; a wait lasts a minute. */
	uploadDurationMs: number;
	/** How often the node runs with these items. */
	runs: number;
}

/** A write as it reached the service. */
export interface Arrival {
	item: number;
	fate: Fate;
	request: RecordedRequest;
	/** The upload that it started. */
	uploadId?: string;
}

export const writeRuns: fc.Arbitrary<WriteRun> = fc.record({
	operation: fc.constantFrom('engagement.create', ...(Object.keys(writes) as Operation[])),
	items: fc.array(
		fc.record({
			engagement: fc.nat(2),
			external: fc.constantFrom('', '', 'X', 'x', 'Y', 'E1'),
			returnExisting: fc.boolean(),
		}),
		{ minLength: 1, maxLength: 6 },
	),
	fates: fc.array(fc.constantFrom(...FATES), { maxLength: 10 }),
	events: fc.array(fc.constantFrom(...EVENTS), { maxLength: 12 }),
	onError: fc.constantFrom<OnError>('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
	maxTries: fc.integer({ min: 1, max: 3 }),
	parallelRequests: fc.constantFrom(1, 3, 64),
	uploadDurationMs: fc.constantFrom(0, 0, 90_000),
	runs: fc.integer({ min: 1, max: 2 }),
});
