/** Which page fields a list has (docs/service.md#lists-and-pages). */
export type PageFields =
	/** Those that the documentation gives to each list; or as their descriptions say, which is hardly meant. */
	'documented' | 'worded' | 'lastOnly' | 'totalPagesAndNumber' | 'sizeOnly' | 'none' | 'nestedPage';

/** How times are formatted (docs/service.md#dates). */
export type DateForm = 'plain' | 'millisZ' | 'offset' | 'named' | 'shortFraction' | 'epoch';

/**
 * The service as documented, with the likeliest choice for whatever is undocumented. All of it can be
 * changed at any time between requests.
 */
export function defaultSettings() {
	return {
		pageFields: 'documented' as PageFields,
		/** A larger `size` is silently reduced to this. */
		maxPageSize: 1000,
		/** Beyond the end, the last page is repeated instead of an empty one. */
		repeatLastPage: false,
		neverLast: false,

		dateForm: 'plain' as DateForm,
		/** IANA zone of the times in records. */
		printZone: 'UTC',
		/** IANA zone in which date filters are read; null: that of the records. */
		filterZone: null as string | null,
		/** Whether date filters ending in `From` include their own time, and those ending in `To`. */
		fromInclusive: false,
		toInclusive: true,
		/** Whether a record's time is compared with date filters without its fraction of a second. */
		comparesSeconds: false,

		honourOrderBy: true,
		/** The status with which a request with `orderBy` is rejected. */
		rejectOrderBy: null as number | null,
		/** Filters that are ignored, such as `engagementId` and `createdDateTo`. */
		ignoredFilters: [] as string[],
		/** The date filters ending in `To` are documented in the words of those ending in `From`. */
		toMeansFrom: false,
		/** Order without `orderBy`; `shuffled` is one fixed permutation per `shuffleSeed`. */
		unsortedDefault: 'creation' as 'creation' | 'newestFirst' | 'shuffled',
		shuffleSeed: 1,
		/** Whether an absent value sorts below (`low`) or above (`high`) every other. */
		absentSorts: 'low' as 'low' | 'high',

		dateHeader: true,
		/** A number, or the bounds of a uniform distribution. */
		latencyMs: 0 as number | [min: number, max: number],
		rateLimit: null as { requests: number; perMs: number } | null,

		tokenPath: '/v1/oauth/token',
		tokenLifetimeMs: 30 * 60_000,
		tokenCarriesClientId: true,
		/** How far the gateway's clock is behind: a new token is not valid yet for so long. */
		gatewayBehindMs: 0,

		/** When an upload is listed: once it is started, or once the customer opens the link. */
		listsUploads: 'atStart' as 'atStart' | 'whenOpened',
		/** All steps of an upload have a `started` as soon as the first one begins. */
		startsAllSteps: false,
		/** Whether the path of a workflow takes the UUID of an upload, or only some integer. */
		workflowIds: 'uuid' as 'uuid' | 'integer',
		/** Whether a year has a record of its own among its periods. */
		yearsAmongPeriods: false,
		/** Whether periods are those of the last upload only, or of each one. */
		periodsOf: 'last' as 'last' | 'all',
		/** How company details are answered before the first completed upload. */
		withoutCompany: 404 as 404 | 204 | 'empty' | 'nulls',
		/** What a refresh says on success; the documentation has “No Action Required”. */
		refreshAction: 'No Action Required',

		/** Whether `lastUploads` lists the newest upload, or the newest completed one. */
		lastUploadsOf: 'all' as 'all' | 'completed',
		/** Where the links lead that customers get; `connectPage.mts` has the pages. */
		connectUrl: 'https://connect.example.com',
		/** Names that requests may use besides the documented ones (`sme.x` for nested ones). */
		extraQuery: [] as string[],
		extraBody: [] as string[],

		uploadDurationMs: 3000,
		/** Every n-th upload ever added fails, or never ends, if it is started; 0: none. */
		failEvery: 0,
		stickEvery: 0,
	};
}

export type Settings = ReturnType<typeof defaultSettings>;
