import type { RefreshOutcome } from './records.mts';

/** Where the records of a list stand in the answer (interface 4: "not shown"). */
export type Wrapper = 'content' | 'array' | 'data' | 'items' | 'named' | 'embedded' | 'dataContent';

/** Which page fields a list's answer carries. */
export type PageFields =
	| 'spring'
	| 'lastOnly'
	| 'totalPagesAndNumber'
	| 'sizeOnly'
	| 'none'
	| 'nestedPage';

/** How times are printed (field notes). */
export type DateForm = 'plain' | 'millisZ' | 'offset' | 'shortFraction' | 'epoch';

/** What the service's error bodies look like (field notes). */
export type ErrorForm = 'gateway' | 'oauth' | 'errors' | 'problem' | 'text' | 'html';

/** Everything that the interface leaves open; may be changed at any time between requests. */
export interface Settings {
	wrapper: Wrapper;
	pageFields: PageFields;
	/** `string` is the documented form: `sort` for engagements, flat sort fields for uploads. */
	sortForm: 'string' | 'object' | 'list';
	/** A larger `size` is cut down to this without a word. */
	maxPageSize: number;
	defaultPageSize: number;
	/** Asked beyond the end, the last page comes again instead of an empty one. */
	repeatLastPage: boolean;
	neverLast: boolean;
	/** Users, connectors and periods are paged too. */
	pageFieldsOnUnpaged: boolean;
	/** A list with exactly one record is answered as that record, without a wrapper. */
	singleRecordAsObject: boolean;

	dateForm: DateForm;
	/** IANA zone of the printed times. */
	printZone: string;
	/** IANA zone in which date filters are read; null: the printed one. */
	filterZone: string | null;
	/** Whether a date filter's own second belongs to what it lets through. */
	fromInclusive: boolean;
	toInclusive: boolean;

	honourOrderBy: boolean;
	/** A request with `orderBy` is refused with 400. */
	rejectOrderBy: boolean;
	honourCompletedFrom: boolean;
	honourCompletedTo: boolean;
	honourEngagementFilter: boolean;
	/** Order without `orderBy`; `shuffled` is one fixed permutation per `shuffleSeed`. */
	unsortedDefault: 'creation' | 'newestFirst' | 'shuffled';
	shuffleSeed: number;
	/** Whether an absent value sorts below (`low`) or above (`high`) every other. */
	absentSorts: 'low' | 'high';

	dateHeader: boolean;
	/** Added to the service's idea of now. */
	clockSkewMs: number;
	/** One number, or the bounds of an even distribution. */
	latencyMs: number | [min: number, max: number];
	rateLimit: { requests: number; perMs: number } | null;

	tokenPath: string;
	tokenLifetimeMs: number;
	tokenField: 'access_token' | 'accessToken' | 'token';
	tokenCarriesClientId: boolean;

	errorForm: ErrorForm;
	/** Real name of the field that the interface calls `serviceClientUrl`. */
	clientUrlField: string;
	/** Whether "null" in a refresh's `url` comes as text, as the interface quotes it. */
	nullUrlAsText: boolean;
	strictLastUploads: boolean;
	/** Names that requests may carry beyond the documented ones (`sme.x` for nested ones). */
	extraQuery: string[];
	extraBody: string[];

	uploadDurationMs: number;
	refreshOutcome: RefreshOutcome;
}

/** The service as the documents describe it, with the likeliest reading of what they leave open. */
export function defaultSettings(): Settings {
	return {
		wrapper: 'content',
		pageFields: 'spring',
		sortForm: 'string',
		maxPageSize: 1000,
		defaultPageSize: 20,
		repeatLastPage: false,
		neverLast: false,
		pageFieldsOnUnpaged: false,
		singleRecordAsObject: false,
		dateForm: 'plain',
		printZone: 'UTC',
		filterZone: null,
		fromInclusive: false,
		toInclusive: true,
		honourOrderBy: true,
		rejectOrderBy: false,
		honourCompletedFrom: true,
		honourCompletedTo: true,
		honourEngagementFilter: true,
		unsortedDefault: 'creation',
		shuffleSeed: 1,
		absentSorts: 'low',
		dateHeader: true,
		clockSkewMs: 0,
		latencyMs: 0,
		rateLimit: null,
		tokenPath: '/v1/oauth/token',
		tokenLifetimeMs: 30 * 60_000,
		tokenField: 'access_token',
		tokenCarriesClientId: true,
		errorForm: 'gateway',
		clientUrlField: 'serviceClientUrl',
		nullUrlAsText: true,
		strictLastUploads: false,
		extraQuery: [],
		extraBody: [],
		uploadDurationMs: 3000,
		refreshOutcome: 'completes',
	};
}
