/* Random runs of writes. */

import * as fc from 'fast-check';
import type { IDataObject, OnError } from 'n8n-workflow';

import type { RecordedRequest } from '../../support/service/log.mts';

/** What happens to a write that reaches the service. */
const FATES = [
	...(['done', 'done', 'done', 'done', 'done', 'refused', 'refused', 'throttled'] as const),
	...(['lost', 'doneAndLost', 'doneAnd502', 'doneAndHtml'] as const),
];
export type Fate = (typeof FATES)[number];

/** Whether the service may have acted, although no answer says so. */
export const isUnknown = (fate: Fate | undefined) => /^doneAnd|^lost$/.test(fate ?? '');

/** The engagement of an item, by ID or by external ID. */
const engagementId =
	'={{ { __rl: true, mode: $json.isExternal ? "externalId" : "id", value: ($json.isExternal ? "E" : "") + $json.engagement } }}';
const ofConnector = { engagementId, connectorName: 'cloudbooks' };

const refresh = { ...ofConnector, options: { customBody: '={{ { marker: $json.marker } }}' } };

/**
 * The parameters of each operation that writes, with expressions for the fields of a random item.
 * What an item sends must contain the number of its `marker`.
 */
export const writes = {
	'engagement.create': {
		name: '={{ $json.marker }}',
		additionalFields: {
			externalEngagementId: '={{ $json.external }}',
		},
	},
	'dataRefresh.schedule': {
		engagementId,
		scheduleFrequency: '3',
		scheduleStartDate: '={{ "2026-12-1" + $json.marker.slice(-1) }}',
	},
	'upload.start': { ...ofConnector, scopeName: '={{ $json.marker }}' },
	'dataRefresh.run': refresh,
	'dataRefresh.run with Wait for Completion': {
		...refresh,
		waitForCompletion: true,
		waitTimeout: 1,
	},
} satisfies Record<string, IDataObject>;

type Operation = keyof typeof writes;

/** A write as it reached the service. */
export interface Arrival {
	item: number;
	fate: Fate;
	request: RecordedRequest;
	/** The upload that it started. */
	uploadId?: string;
}

export const writeRuns = fc.record({
	operation: fc.constantFrom<Operation[]>(
		'engagement.create',
		...(Object.keys(writes) as Operation[]),
	),
	items: fc.array(
		fc.record({
			engagement: fc.integer({ min: 1, max: 3 }),
			isExternal: fc.boolean(),
			external: fc.constantFrom('', '', 'X', 'x', 'Y', 'E1'),
		}),
		{ minLength: 1, maxLength: 6 },
	),
	/** In the order in which writes arrive; any further ones succeed. */
	fates: fc.array(fc.constantFrom(...FATES), { maxLength: 10 }),
	onError: fc.constantFrom<OnError[]>(
		'stopWorkflow',
		'continueRegularOutput',
		'continueErrorOutput',
	),
	/** Attempts under Retry On Fail; undefined without it. */
	maxTries: fc.constantFrom(undefined, 2, 3),
	/** How long an upload takes; a wait lasts a minute. */
	uploadDurationMs: fc.constantFrom(0, 0, 90_000),
});
export type WriteRun = typeof writeRuns extends fc.Arbitrary<infer Run> ? Run : never;
