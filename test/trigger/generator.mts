/** Draws a history from a seed. */
import { SeededRandom } from '../support/service/random.mts';
import type { Settings } from '../support/service/settings.mts';
import type { FaultKind, Filters, History, PlannedUpload, Start, Step } from './history.mts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Summer time ends and begins in several zones, and a day on which nothing happens. */
const ANCHORS = [
	Date.UTC(2026, 9, 25, 1),
	Date.UTC(2026, 10, 1, 6),
	Date.UTC(2026, 2, 29, 1),
	Date.UTC(2026, 3, 4, 16),
	Date.UTC(2026, 5, 15, 10),
];
const ZONES = [
	'UTC',
	'Europe/London',
	'America/New_York',
	'America/Chicago',
	'Asia/Kolkata',
	'Australia/Sydney',
	'Pacific/Kiritimati',
	'Etc/GMT+12',
];
const FAULTS: FaultKind[] = ['notFound', 'refused', 'page', 'quota', 'unauthorised', 'cutOff'];
const FILTERS: Filters[] = [
	{},
	{ uploadStatuses: 'completed' },
	{ uploadStatuses: 'FAILED' },
	{ connectorNames: 'ledgerpro' },
	{ uploadStatuses: 'COMPLETED, FAILED', connectorNames: 'cloudbooks' },
];

/** The history of a seed. */
export function historyOf(seed: number): History {
	return new Generator(seed).history();
}

class Generator {
	private readonly random: SeededRandom;
	private readonly anchor: number;
	private readonly begin: number;
	private readonly lookback: number;

	constructor(seed: number) {
		this.random = new SeededRandom(seed);
		this.anchor = this.random.pick(ANCHORS);
		this.begin = this.anchor + this.between(-9 * HOUR, 4 * HOUR);
		this.lookback = this.random.pick([0, 10, 30, 60, 120, 120, 240]) * MINUTE;
	}

	history(): History {
		const settings = this.settings();
		const pageSize = this.random.pick([3, 5, 10, 100, 100]);
		const requestTime = this.requestTime(Math.min(pageSize, settings.maxPageSize ?? Infinity));
		const polls = this.polls(requestTime < SECOND);
		const end = polls.reduce((time, { after }) => time + after, this.begin);
		const uploads = [...this.past(), ...this.future(end, polls), ...this.farFuture(end)];
		return {
			begin: this.begin,
			settings,
			zone: this.chance(60) ? (settings.printZone ?? 'UTC') : this.random.pick(ZONES),
			behind: this.random.pick([0, 0, 0, 2 * MINUTE, -HOUR, 5 * HOUR, -3 * DAY, 3 * DAY]),
			requestTime,
			durable: this.chance(35),
			start: this.start(),
			lookback: this.lookback,
			maxUploads: this.random.pick([2, 3, 5, 1000, 1000, 1000]),
			pageSize,
			filters: this.chance(60) ? {} : this.random.pick(FILTERS),
			uploads,
			steps: this.steps(polls, uploads),
		};
	}

	private settings(): Partial<Settings> {
		const { random } = this;
		const isOrdered = this.chance(50);
		return {
			honourOrderBy: isOrdered,
			rejectOrderBy: !isOrdered && this.chance(30),
			honourCompletedFrom: this.chance(80),
			honourCompletedTo: this.chance(75),
			unsortedDefault: random.pick(['creation', 'newestFirst', 'shuffled']),
			shuffleSeed: random.below(1000),
			absentSorts: random.pick(['low', 'high']),
			maxPageSize: random.pick([3, 4, 10, 1000, 1000]),
			pageFields: random.pick([
				...['spring', 'spring', 'spring', 'lastOnly', 'totalPagesAndNumber'],
				...['sizeOnly', 'none', 'nestedPage'],
			] as const),
			wrapper: random.pick(['content', 'content', 'array', 'data', 'named', 'embedded']),
			neverLast: this.chance(15),
			repeatLastPage: this.chance(15),
			singleRecordAsObject: this.chance(10),
			dateForm: random.pick([
				'plain',
				'plain',
				'plain',
				'millisZ',
				'offset',
				'shortFraction',
				'epoch',
			]),
			printZone: random.pick(ZONES),
			filterZone: this.chance(60) ? null : random.pick(ZONES),
			fromInclusive: this.chance(50),
			toInclusive: this.chance(50),
			dateHeader: this.chance(80),
		};
	}

	private start(): Start {
		if (this.chance(60)) return { startFrom: 'now' };
		if (this.chance(50)) return { startFrom: 'beginning' };
		const time = this.begin - this.between(0, 2 * DAY);
		return { startFrom: 'date', startDate: new Date(time).toISOString() };
	}

	/** Many small pages that take seconds each are beyond what n8n allows a poll. */
	private requestTime(pageSize: number): number {
		return this.random.pick(pageSize < 100 ? [0, 0, 50] : [0, 0, 50, SECOND, 5 * SECOND]);
	}

	/** The requests of polls that overlap take their times one after the other: such must be short. */
	private polls(mayOverlap: boolean): Array<Extract<Step, { do: 'poll' }>> {
		const count = 3 + this.random.below(8);
		const pauses = [SECOND, MINUTE, MINUTE, 10 * MINUTE, HOUR, this.lookback, 6 * HOUR, 30 * HOUR];
		return Array.from({ length: count }, (_, index) => ({
			do: 'poll',
			after: index === 0 ? 0 : this.random.pick(pauses),
			overlapping: mayOverlap && index > 2 && this.chance(15) ? 2 + this.random.below(2) : 1,
			...(index !== 1 && index !== 2 && this.chance(20) && { fault: this.fault() }),
		}));
	}

	private fault() {
		return { kind: this.random.pick(FAULTS), request: this.random.pick([0, 0, 1, 1, 2, 3, 5]) };
	}

	private past(): PlannedUpload[] {
		const age = this.random.pick([HOUR, 4 * HOUR, 2 * DAY, 20 * DAY]);
		return this.series(
			this.random.pick([0, 1, 3, 10, 25]),
			() => this.begin - this.between(1, age),
		);
	}

	/** Most complete around polls, or when the clock changes, where it is easiest to miss one. */
	private future(end: number, polls: Array<{ after: number }>): PlannedUpload[] {
		const times: number[] = [];
		for (const { after } of polls) times.push((times.at(-1) ?? this.begin) + after);
		return this.series(this.random.pick([1, 5, 10, 30]), () => {
			const around = this.chance(30) ? this.anchor : this.random.pick(times);
			const spread = around === this.anchor ? 90 * MINUTE : 20 * SECOND;
			const time = this.chance(35) ? this.between(this.begin, end + 1) : around;
			return Math.max(this.begin, time + this.between(-spread, spread));
		});
	}

	private series(count: number, time: () => number): PlannedUpload[] {
		const uploads: PlannedUpload[] = [];
		while (uploads.length < count) {
			const drawn = Math.floor(time() / SECOND) * SECOND;
			const burst = this.chance(15) ? 1 + this.random.below(6) : 1;
			for (let n = 0; n < burst; n++) uploads.push(this.upload(drawn));
		}
		return uploads;
	}

	private upload(completion: number): PlannedUpload {
		const completedAt = completion + (this.chance(30) ? this.random.below(1000) : 0);
		const late = this.chance(50)
			? 0
			: this.between(0, (this.chance(85) ? 1 : 2) * this.lookback + 1);
		return {
			createdAt: completedAt - this.random.pick([MINUTE, 5 * MINUTE, HOUR, 5 * HOUR]),
			completedAt,
			listedAt: completedAt + late,
			status: this.chance(75) ? 'COMPLETED' : 'FAILED',
			connectorName: this.random.pick(['cloudbooks', 'ledgerpro']),
		};
	}

	/** Further than the bound, also by a clock of n8n's that is three days ahead. */
	private farFuture(end: number): PlannedUpload[] {
		if (!this.chance(15)) return [];
		const listedAt = this.between(this.begin - DAY, end + 1);
		const completedAt = listedAt + this.random.pick([6 * DAY, 30 * DAY, 4000 * DAY]);
		return [{ ...this.upload(completedAt), createdAt: listedAt - MINUTE, listedAt }];
	}

	/** Between the polls: restarts, changed filters, and uploads that change. */
	private steps(polls: Array<Extract<Step, { do: 'poll' }>>, uploads: PlannedUpload[]): Step[] {
		const moves = this.chance(25);
		const changes = this.chance(25);
		const filters = this.chance(20);
		let time = this.begin;
		return polls.flatMap((poll): Step[] => {
			time += poll.after;
			const upload = this.random.below(Math.max(1, uploads.length));
			const to = time - this.between(0, 2 * this.lookback + 1);
			const status = this.random.pick(['COMPLETED', 'FAILED']);
			const between: Step[] = [
				...(this.chance(15) ? [{ do: 'restart' } as const] : []),
				...(this.chance(8) ? [{ do: 'reactivate' } as const] : []),
				...(filters && this.chance(30)
					? [{ do: 'filter', filters: this.random.pick(FILTERS) } as const]
					: []),
				...(moves && this.chance(30) ? [{ do: 'move', upload, to } as const] : []),
				...(changes && this.chance(30) ? [{ do: 'status', upload, status } as const] : []),
			];
			return [poll, ...between];
		});
	}

	/** An integer from `least` up to, not including, `bound`. */
	private between(least: number, bound: number): number {
		return least + this.random.below(bound - least);
	}

	private chance(percent: number): boolean {
		return this.random.below(100) < percent;
	}
}
