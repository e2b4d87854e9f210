/** Which page fields a list has (docs/service.md#lists-and-pages); `endless`: `last` is always false. */
export type PageFields = 'documented' | 'lastOnly' | 'totalPages' | 'none' | 'endless';

/**
 * The service as documented, with the likeliest choice for whatever is undocumented and decides between a right
 * and a silently wrong result. All of it can be changed at any time between requests.
 */
export function defaultSettings() {
	return {
		pageFields: 'documented' as PageFields,
		/** A larger `size` is silently reduced to this. */
		maxPageSize: 1000,

		/** What becomes of `orderBy`; a number: the status with which it is rejected. */
		orderBy: 'honoured' as 'honoured' | 'ignored' | number,
		/** Order without `orderBy`; `shuffled`: that of the random IDs of uploads. */
		unsortedDefault: 'creation' as 'creation' | 'newestFirst' | 'shuffled',
		/** Filters that are ignored, such as `engagementId` and `createdDateTo`. */
		ignoredFilters: [] as string[],

		/** IANA zone of the times in records, which name none; null: UTC, which they name. */
		printZone: 'UTC' as string | null,
		/** IANA zone in which date filters are read; null: that of the records. */
		filterZone: null as string | null,
		/** Whether date filters include their own time. */
		boundsInclusive: false,

		/** A number, or the bounds of a uniform distribution. */
		latencyMs: 0 as number | [min: number, max: number],
		rateLimit: null as { requests: number; perMs: number } | null,
		tokenLifetimeMs: 30 * 60_000,
		uploadDurationMs: 3000,

		/** Where the links lead that customers get; `connectPage.mts` has the pages. */
		connectUrl: 'https://connect.example.com',
		/** Names of body fields besides the documented ones (`sme.x` for nested ones). */
		extraBody: [] as string[],
	};
}

export type Settings = ReturnType<typeof defaultSettings>;
