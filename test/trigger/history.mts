/** What a history consists of, as plain data: the same history plays the same way each time. */
import type { Settings } from '../support/service/settings.mts';

/** An upload to come; times in epoch milliseconds of the service's clock. */
export interface PlannedUpload {
	createdAt: number;
	completedAt: number;
	/** From then on it is listed as completed. */
	listedAt: number;
	status: string;
	connectorName: string;
}

/** The trigger's filters, as entered. */
export interface Filters {
	uploadStatuses?: string;
	connectorNames?: string;
}

/** An answer in the middle of a poll with which it fails at once, without a retry. */
export type FaultKind = 'notFound' | 'refused' | 'page' | 'quota' | 'unauthorised' | 'cutOff';

/** What happens next. Uploads are named by their place in `History.uploads`. */
export type Step =
	/** So many polls at the same time, after a time without any. */
	| {
			do: 'poll';
			after: number;
			overlapping: number;
			fault?: { kind: FaultKind; request: number };
	  }
	/** n8n stops and starts. */
	| { do: 'restart' }
	/** The workflow is switched off and on. */
	| { do: 'reactivate' }
	| { do: 'filter'; filters: Filters }
	/** The completion date of a listed upload moves. */
	| { do: 'move'; upload: number; to: number }
	| { do: 'status'; upload: number; status: string };

/** Where the trigger starts. */
export type Start =
	| { startFrom: 'now' | 'beginning' }
	/** ISO 8601 with an offset */
	| { startFrom: 'date'; startDate: string };

/** A history. Times and durations in milliseconds. */
export interface History {
	/** The service's clock at the first poll. */
	begin: number;
	settings: Partial<Settings>;
	/** The credential's Time Zone. */
	zone: string;
	/** How far n8n's clock is behind the service's. */
	behind: number;
	/** How long each request takes. */
	requestTime: number;
	durable: boolean;
	start: Start;
	lookback: number;
	maxUploads: number;
	pageSize: number;
	filters: Filters;
	uploads: PlannedUpload[];
	steps: Step[];
}

/** Records that a page can hold: no more uploads may join between two requests. */
export function effectivePageSize({ pageSize, settings }: History): number {
	return Math.min(pageSize, settings.maxPageSize ?? pageSize);
}

/** Whether a filter or the start date may turn an upload down at some time. */
export function mayTurnDown({ filters, start, steps }: History): boolean {
	const isFiltered = Object.keys(filters).length > 0 || start.startFrom === 'date';
	return isFiltered || steps.some((step) => step.do === 'filter');
}
