/** Random histories that shrink. */
import fc from 'fast-check';
import type { Settings } from '../../support/service/settings.mts';
import { between, chance, one, rarely } from './draw.mts';
import type {
	Change,
	FaultKind,
	Filters,
	History,
	PlannedFault,
	PlannedUpload,
	Start,
	Step,
} from './history.mts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An ordinary day, and days on which daylight saving time ends or begins somewhere. */
const ANCHORS = [
	Date.UTC(2026, 5, 15, 10),
	Date.UTC(2026, 9, 25, 1),
	Date.UTC(2026, 10, 1, 6),
	Date.UTC(2026, 2, 29, 1),
	Date.UTC(2026, 3, 4, 16),
];
const ZONES = [
	'UTC',
	'Europe/London',
	'America/New_York',
	'Asia/Kolkata',
	'Australia/Sydney',
	'Pacific/Kiritimati',
	'Etc/GMT+12',
];
const FAULTS: FaultKind[] = ['notFound', 'failed', 'page', 'quota', 'unauthorised', 'cutOff'];
const FILTERS: Filters[] = [
	{},
	{ uploadStatuses: 'completed, aborted, processing' },
	{ connectorNames: 'ledgerpro' },
	{ uploadStatuses: 'FAILED, ARCHIVED' },
	{ uploadStatuses: 'COMPLETED, FAILED, LOADING', connectorNames: 'cloudbooks' },
];
/** More could not be read in the time of a first poll by every service of a history. */
const MAX_UPLOADS = 60;
const LOOKBACKS = [120, 0, 10, 30, 240].map((minutes) => minutes * MINUTE);

const settings: fc.Arbitrary<Partial<Settings>> = fc.record({
	orderBy: one<Settings['orderBy']>('honoured', 'honoured', 'honoured', 'ignored', 400, 500),
	ignoredFilters: chance(15).map((isIgnored) => (isIgnored ? ['completedDateFrom'] : [])),
	unsortedDefault: one('creation', 'newestFirst', 'shuffled'),
	maxPageSize: one(1000, 1000, 3, 4, 10),
	pageFields: one('documented', 'lastOnly', 'totalPages', 'none'),
	printZone: one<string | null>(...ZONES, null, null),
	filterZone: rarely(one<string | null>(...ZONES), 40, null),
	boundsInclusive: chance(50),
	rateLimit: rarely<Settings['rateLimit']>(
		one(12, 30).map((requests) => ({ requests, perMs: MINUTE })),
		15,
		null,
	),
});

/** An upload as generated: its times are relative to a poll of the history. */
const upload = fc.record({
	near: fc.nat(14),
	shift: fc.oneof(
		{ weight: 3, arbitrary: between(-10 * MINUTE, MINUTE) },
		{ weight: 2, arbitrary: between(-4 * HOUR, HOUR) },
		// While a poll reads the list.
		{ weight: 1, arbitrary: between(0, 5 * SECOND) },
		{ weight: 1, arbitrary: between(-20 * DAY, 0) },
	),
	/** Uploads of the same dates. */
	twins: rarely(between(2, 30), 10, 1),
	late: rarely(fc.record({ by: between(0, DAY), isLater: chance(50) }), 40, undefined),
	takes: one(MINUTE, 5 * MINUTE, HOUR, 5 * HOUR, 3 * DAY),
	ending: one('COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'ABORTED', 'never'),
	hasDate: one(true, true, false),
	fraction: rarely(between(0, 999), 30, 0),
	connectorName: one('cloudbooks', 'ledgerpro'),
	later: rarely(
		fc.array(
			fc.record({
				kind: one('status', 'delete', 'reopen'),
				after: one(SECOND, MINUTE, HOUR),
				status: one('COMPLETED', 'FAILED', 'ARCHIVED'),
			}),
			{ maxLength: 2 },
		),
		25,
		[],
	),
});
type DrawnUpload = typeof upload extends fc.Arbitrary<infer T> ? T : never;

/** Listed late, it is so by at most the look-back and a day. */
function plannedUpload(
	drawn: DrawnUpload,
	{ event, polls, lookback }: { event: string; polls: number[]; lookback: number },
): PlannedUpload {
	const time = (polls[drawn.near % polls.length] ?? 0) + drawn.shift;
	const isByCreation = event !== 'uploadCompleted';
	const { by = 0, isLater = false } = drawn.late ?? {};
	const delay = isLater ? DAY + (by % (lookback + 1)) : by;
	const [late, lateCreation] = isByCreation ? [0, delay] : [delay, 0];
	const seconds = (value: number) => Math.floor(value / SECOND) * SECOND;
	const createdAt = seconds(isByCreation ? time : time - drawn.takes);
	const changes: Change[] = [{ at: createdAt + drawn.takes / 2, patch: { status: 'PROCESSING' } }];
	const completedAt = createdAt + drawn.takes + drawn.fraction;
	const isDated = drawn.hasDate || !isByCreation;
	let at = completedAt + late;
	if (drawn.ending !== 'never') {
		changes.push({ at, patch: { status: drawn.ending, ...(isDated && { completedAt }) } });
		for (const { kind, after, status } of drawn.later) {
			at += after;
			if (kind === 'status') changes.push({ at, patch: { status } });
			if (kind === 'delete') changes.push({ at, patch: undefined });
			if (kind === 'reopen' && isByCreation)
				changes.push({ at, patch: { status: 'PROCESSING', completedAt: null } });
		}
	}
	return {
		createdAt,
		listedAt: createdAt + lateCreation,
		connectorName: drawn.connectorName,
		changes,
	};
}

const poll = fc.record({
	do: fc.constant('poll' as const),
	after: one(MINUTE, MINUTE, SECOND, 10 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR, 30 * HOUR),
	overlapping: rarely(one(2, 3), 12, 1),
	isDiscarded: chance(20),
	fault: rarely<PlannedFault | undefined>(
		fc.record({
			kind: one(...FAULTS),
			request: one(0, 0, 1, 1, 2, 3, 5),
			isLasting: chance(30),
		}),
		15,
		undefined,
	),
});
/** Usually a correction. */
const changeZone = fc.record({
	do: fc.constant('changeZone' as const),
	zone: rarely(one<string | null>(...ZONES), 20, null),
});
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 8, arbitrary: poll },
	{ weight: 1, arbitrary: fc.constant({ do: 'restart' } as const) },
	{ weight: 1, arbitrary: fc.constant({ do: 'reactivate' } as const) },
	{ weight: 1, arbitrary: changeZone },
);

/** Random histories of an event, in either mode of polling. */
export function histories(event: string): fc.Arbitrary<History> {
	return fc
		.record({
			event: fc.constant(event),
			anchor: one(...ANCHORS),
			offset: between(-9 * HOUR, 4 * HOUR),
			lookback: one(...LOOKBACKS),
			requestTime: one(0, 0, 50, 400, 2 * SECOND),
			settings,
			otherZone: rarely(one<string | null>(...ZONES), 40, null),
			behind: one(0, 0, 0, 2 * MINUTE, -HOUR, 5 * HOUR, -DAY, DAY),
			durable: chance(35),
			startFrom: one('now', 'now', 'now', 'beginning', 'date'),
			startAgo: between(0, 2 * DAY),
			followFor: one(7 * DAY, 7 * DAY, DAY),
			maxUploads: one(1000, 1000, 1000, 2, 3, 5),
			pageSize: one(100, 100, 3, 5, 10),
			filters: rarely(one(...FILTERS), 40, {}),
			uploads: fc.oneof(
				fc.array(upload, { maxLength: 12, size: 'max' }),
				fc.array(upload, { maxLength: MAX_UPLOADS, size: 'max' }),
			),
			steps: fc.array(step, { maxLength: 14, size: 'max' }),
		})
		.map((all): History => {
			const { anchor, offset, otherZone, startFrom, startAgo, ...drawn } = all;
			const first: Step = { do: 'poll', after: 0, overlapping: 1, isDiscarded: false };
			const steps = [first, ...drawn.steps];
			const begin = anchor + offset;
			let time = begin;
			const polls = steps.flatMap((each) => (each.do === 'poll' ? [(time += each.after)] : []));
			const startDate = new Date(begin - startAgo).toISOString();
			const start = startFrom === 'date' ? { startFrom, startDate } : { startFrom };
			const { event: chosen, lookback, requestTime, uploads } = drawn;
			const { connectorNames } = drawn.filters;
			return {
				...drawn,
				// A list that cannot be read in a poll's time is an error for good.
				requestTime: drawn.durable ? Math.min(requestTime, 400) : requestTime,
				settings: { ...drawn.settings, ...(!isReadInAMinute(drawn) && { rateLimit: null }) },
				// Other events have no filter by status.
				filters: chosen === 'uploadStatusChanged' ? drawn.filters : { connectorNames },
				begin,
				start: start as Start,
				zone: otherZone ?? drawn.settings.printZone ?? 'UTC',
				uploads: uploads
					.flatMap((each) => {
						const planned = plannedUpload(each, { event: chosen, polls, lookback });
						return Array.from({ length: each.twins }, () => planned);
					})
					.slice(0, MAX_UPLOADS),
				steps,
			};
		});
}

/** Whether a minute's requests suffice for the pages of the list. */
function isReadInAMinute({ settings, pageSize }: Pick<History, 'settings' | 'pageSize'>): boolean {
	return Math.min(pageSize, settings.maxPageSize ?? 0) >= 10;
}
