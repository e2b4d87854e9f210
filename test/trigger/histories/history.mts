/** A history as plain data; it plays out the same way each time. */
import { events } from '../../../nodes/EngagementUploads/trigger/events.ts';
import type { Upload } from '../../support/service/records.mts';
import type { Settings } from '../../support/service/settings.mts';

export const EVENTS = events.map(({ value }) => value);

/** What happens to an upload; times in epoch milliseconds of the service's clock. */
export interface Change {
	/** When lists show it. */
	at: number;
	/** What they show then; undefined: the service forgets the upload. */
	patch: Partial<Pick<Upload, 'status' | 'completedAt'>> | undefined;
}

export interface PlannedUpload {
	createdAt: number;
	/** When lists begin to show it. */
	listedAt: number;
	connectorName: string;
	changes: Change[];
}

/** The trigger's filters, as entered. */
export interface Filters {
	uploadStatuses?: string;
	connectorNames?: string;
}

/** A response in the middle of a poll that fails its request, mostly without a retry. */
export type FaultKind = 'notFound' | 'failed' | 'page' | 'quota' | 'unauthorised' | 'cutOff';

export interface PlannedFault {
	kind: FaultKind;
	/** Number of requests of the poll before it. */
	request: number;
	/** All later requests of the poll meet it too. */
	isLasting: boolean;
}

/** This many polls at the same time, after a while without any. */
export interface PollStep {
	do: 'poll';
	after: number;
	overlapping: number;
	/** In durable polling, n8n rolls back what the first of them emits. */
	isDiscarded: boolean;
	fault?: PlannedFault | undefined;
}

export type Step =
	| PollStep
	/** n8n stops and starts. */
	| { do: 'restart' }
	/** The workflow is switched off and on, or published again. */
	| { do: 'reactivate' }
	/** The credential's Time Zone is changed; null: to the service's. */
	| { do: 'changeZone'; zone: string | null };

/** Where the trigger starts. */
export type Start =
	| { startFrom: 'now' | 'beginning' }
	/** ISO 8601 with an offset */
	| { startFrom: 'date'; startDate: string };

/** A history. Times and durations in milliseconds. */
export interface History {
	event: string;
	/** The service's clock at the first poll. */
	begin: number;
	settings: Partial<Settings>;
	/** The credential's Time Zone at first. */
	zone: string;
	/** How far n8n's clock is behind the service's. */
	behind: number;
	/** How long each request takes. */
	requestTime: number;
	/** The mode of polling. */
	durable: boolean;
	start: Start;
	lookback: number;
	followFor: number;
	maxUploads: number;
	pageSize: number;
	filters: Filters;
	uploads: PlannedUpload[];
	steps: Step[];
}

/** What is usual, without uploads and polls. */
export const usual: History = {
	event: 'uploadCompleted',
	begin: Date.UTC(2026, 5, 15, 10),
	settings: {},
	zone: 'UTC',
	behind: 0,
	requestTime: 0,
	durable: false,
	start: { startFrom: 'now' },
	lookback: 2 * 3_600_000,
	followFor: 7 * 24 * 3_600_000,
	maxUploads: 1000,
	pageSize: 500,
	filters: {},
	uploads: [],
	steps: [],
};
