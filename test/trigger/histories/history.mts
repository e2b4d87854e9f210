/** A history as plain data; it plays out the same way each time. */
import { events } from '../../../nodes/EngagementUploads/trigger/events/index.ts';
import type { Settings } from '../../support/service/settings.mts';

export const EVENTS = events.map(({ value }) => value);
/** Those that depend on the status. */
export const FOLLOWING = EVENTS.filter((event) => isFollowing({ event }));

export type EventName = string;

/** What happens to an upload; times in epoch milliseconds of the service's clock. */
export interface Change {
	/** When lists show it. */
	at: number;
	status?: string;
	/** The completion date from then on; null: none. */
	completedAt?: number | null;
	/** The service forgets it. */
	isDeletion?: true;
}

export interface PlannedUpload {
	createdAt: number;
	/** When lists begin to show it. */
	listedAt: number;
	connectorName: string;
	/** The service sends its dates in the other form, if it mixes forms. */
	isOdd: boolean;
	changes: Change[];
}

/** The trigger's filters, as entered. */
export interface Filters {
	uploadStatuses?: string;
	connectorNames?: string;
}

/** A response in the middle of a poll that fails it at once, without a retry. */
export type FaultKind = 'notFound' | 'page' | 'quota' | 'unauthorised' | 'cutOff';

export type Step =
	/**
	 * This many polls at the same time, after a while without any. If n8n gives the turn of the first
	 * to another, it discards what a durable poll emits.
	 */
	| {
			do: 'poll';
			after: number;
			overlapping: number;
			isDiscarded: boolean;
			fault?: { kind: FaultKind; request: number };
	  }
	/** n8n stops and starts. */
	| { do: 'restart' }
	/** The workflow is switched off and on. */
	| { do: 'reactivate' }
	/** The trigger gets another name. */
	| { do: 'rename' }
	/** The workflow is published with other parameters. */
	| { do: 'change'; filters?: Filters; lookback?: number; pageSize?: number };

/** Where the trigger starts. */
export type Start =
	| { startFrom: 'now' | 'beginning' }
	/** ISO 8601 with an offset */
	| { startFrom: 'date'; startDate: string };

/** A history. Times and durations in milliseconds. */
export interface History {
	event: EventName;
	/** The service's clock at the first poll. */
	begin: number;
	settings: Partial<Settings>;
	/** Some uploads have instants as dates, the others local times. */
	isMixed: boolean;
	/** The service's date filters only compare days. */
	filtersDays: boolean;
	/** The credential's Time Zone. */
	zone: string;
	/** How far n8n's clock is behind the service's. */
	behind: number;
	/** How long each request takes. */
	requestTime: number;
	durable: boolean;
	start: Start;
	lookback: number;
	followFor: number;
	stuckAfter: number;
	maxUploads: number;
	pageSize: number;
	filters: Filters;
	uploads: PlannedUpload[];
	steps: Step[];
}

export function isFollowing({ event }: Pick<History, 'event'>): boolean {
	return events.some(({ value, isFollowing }) => value === event && isFollowing);
}
