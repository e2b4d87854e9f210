/** Where a response holds its records, which is undocumented (docs/service.md#lists-and-pages). */
export type Wrapper = 'content' | 'array' | 'data' | 'named' | 'embedded';

/** Which page fields a list has. */
export type PageFields =
	| 'spring'
	| 'lastOnly'
	| 'totalPagesAndNumber'
	| 'sizeOnly'
	| 'none'
	| 'nestedPage';

/** How times are formatted (docs/service.md#dates). */
export type DateForm = 'plain' | 'millisZ' | 'offset' | 'shortFraction' | 'epoch';

/** Everything that is undocumented; can be changed at any time between requests. */
export interface Settings {
	wrapper: Wrapper;
	pageFields: PageFields;
	/** A larger `size` is silently reduced to this. */
	maxPageSize: number;
	/** Beyond the end, the last page is repeated instead of an empty one. */
	repeatLastPage: boolean;
	neverLast: boolean;
	/** Users, connectors and periods are paged too. */
	pageFieldsOnUnpaged: boolean;
	/** A list with exactly one record is sent as that record, without a wrapper. */
	singleRecordAsObject: boolean;

	dateForm: DateForm;
	/** IANA zone of the times in records. */
	printZone: string;
	/** IANA zone in which date filters are read; null: that of the records. */
	filterZone: string | null;
	/** Whether `completedDateFrom` and `createdDateFrom` include their own second. */
	fromInclusive: boolean;

	honourOrderBy: boolean;
	/** A request with `orderBy` is rejected with 400. */
	rejectOrderBy: boolean;
	honourCompletedFrom: boolean;
	honourEngagementFilter: boolean;
	/** Order without `orderBy`; `shuffled` is one fixed permutation per `shuffleSeed`. */
	unsortedDefault: 'creation' | 'newestFirst' | 'shuffled';
	shuffleSeed: number;
	/** Whether an absent value sorts below (`low`) or above (`high`) every other. */
	absentSorts: 'low' | 'high';

	dateHeader: boolean;
	/** A number, or the bounds of a uniform distribution. */
	latencyMs: number | [min: number, max: number];
	rateLimit: { requests: number; perMs: number } | null;

	tokenPath: string;
	tokenLifetimeMs: number;
	tokenField: 'access_token' | 'accessToken' | 'token';
	tokenCarriesClientId: boolean;
	/** A new token makes the earlier ones invalid. */
	revokeEarlierTokens: boolean;
	/** How far the gateway's clock is behind: a new token is not valid yet for so long. */
	gatewayBehindMs: number;

	/** Whether `lastUploads` lists the newest upload, or the newest completed one. */
	lastUploadsOf: 'all' | 'completed';
	/** Whether uploads carry the connector's title in place of its code. */
	connectorTitles: boolean;
	/** Names that requests may use besides the documented ones (`sme.x` for nested ones). */
	extraQuery: string[];
	extraBody: string[];

	uploadDurationMs: number;
	/** Every n-th upload ever added fails, or never ends, if it is started; 0: none. */
	failEvery: number;
	stickEvery: number;
}

/** The service as documented, with the likeliest choice for whatever is undocumented. */
export function defaultSettings(): Settings {
	return {
		wrapper: 'content',
		pageFields: 'spring',
		maxPageSize: 1000,
		repeatLastPage: false,
		neverLast: false,
		pageFieldsOnUnpaged: false,
		singleRecordAsObject: false,
		dateForm: 'plain',
		printZone: 'UTC',
		filterZone: null,
		fromInclusive: false,
		honourOrderBy: true,
		rejectOrderBy: false,
		honourCompletedFrom: true,
		honourEngagementFilter: true,
		unsortedDefault: 'creation',
		shuffleSeed: 1,
		absentSorts: 'low',
		dateHeader: true,
		latencyMs: 0,
		rateLimit: null,
		tokenPath: '/v1/oauth/token',
		tokenLifetimeMs: 30 * 60_000,
		tokenField: 'access_token',
		tokenCarriesClientId: true,
		revokeEarlierTokens: false,
		gatewayBehindMs: 0,
		lastUploadsOf: 'all',
		connectorTitles: false,
		extraQuery: [],
		extraBody: [],
		uploadDurationMs: 3000,
		failEvery: 0,
		stickEvery: 0,
	};
}
