/** Reads the list for a poll: the first one, or one that continues from the state. */
import type { INode } from 'n8n-workflow';
import type { ServiceClient } from '../transport/client';
import { inputError } from '../transport/errors';
import { parseTime } from '../values/dates';
import { toInstant, toLocalTime } from '../values/zones';
import { baseline, type Wanted } from './cursor';
import { matchesFilter } from './filters';
import { followBaseline, type Following } from './follow';
import { recheck } from './followed';
import { ServiceUploads } from './list';
import {
	newestOf,
	windowStart,
	MAX_ZONE_DIFFERENCE,
	withMixedDates,
	type Reading,
} from './progress';
import { scan, scanNewest } from './scan';
import type { TriggerSettings } from './settings';
import { toInstants, type CursorState } from './state';
import type { SeenUpload } from './upload';

/** Maximum number of uploads that a poll scans, as a multiple of those it may emit. */
const MAX_SCAN_FACTOR = 20;

export interface Read {
	/** The state, in terms of the dates that were read. */
	state: CursorState;
	reading: Reading;
	/** Followed uploads that are no longer listed. */
	gone: string[];
}

export class ListReader {
	constructor(
		private readonly node: INode,
		private readonly settings: TriggerSettings,
		private readonly client: ServiceClient,
		private readonly isTimeUp: () => boolean,
	) {}

	/** The upload list, with dates as instants or as local times. */
	listFor(isInstant: boolean, maxPageSize = Infinity): ServiceUploads {
		const pageSize = Math.min(this.settings.pageSize, maxPageSize);
		return new ServiceUploads(this.client, this.settings.event, pageSize, isInstant);
	}

	/** Marks everything listed as seen, so that only uploads that are new from now on are emitted. */
	async firstLook(state: CursorState): Promise<CursorState> {
		const { event, lookback, followFor } = this.settings;
		const uploads = this.listFor(false);
		const lower = (found: SeenUpload[]) => {
			const isMixed = this.isMixed(found);
			const newest = newestOf(found, uploads.serviceTime);
			const start = windowStart({ previous: newest, since: null, isMixed }, lookback) ?? -Infinity;
			return event.follow === undefined
				? start
				: Math.min(start, uploads.serviceTime - followFor - MAX_ZONE_DIFFERENCE);
		};
		const isTimeUp = () => this.isTimeUp();
		const look = async (isMixed = false) =>
			await scanNewest(uploads, { lower, filterLower: 0, isMixed, isTimeUp });
		let reading = await look();
		uploads.isInstant = reading.uploads.some(({ isInstant }) => isInstant);
		const isMixed = this.isMixed(reading.uploads);
		if ((reading.isPaged || isMixed) && !this.isTimeUp()) {
			// An upload that slipped from one page to another the first time is found the second time.
			const second = await look(isMixed);
			const ids = new Set(second.uploads.map(({ id }) => id));
			const slipped = reading.uploads.filter(({ id }) => !ids.has(id));
			reading = { ...second, uploads: [...second.uploads, ...(isMixed ? [] : slipped)] };
		}
		if (!reading.isWhole && reading.order === undefined)
			throw inputError(
				this.node,
				'The list of uploads could not be read in the time that n8n allows',
				'Increase Page Size, or decrease Look-Back',
			);
		const first = { ...state, isInstant: uploads.isInstant, ...(isMixed && { isMixed }) };
		return event.follow === undefined
			? baseline(first, reading, lookback)
			: followBaseline(first, reading, this.following(first, reading));
	}

	/** Continues reading the list, and starts again if dates must be interpreted differently. */
	async read(known: CursorState): Promise<Read> {
		const uploads = this.listFor(known.isInstant);
		let state = known;
		let reading = await this.scan(state, uploads);
		if (!state.isInstant && reading.uploads.some(({ isInstant }) => isInstant)) {
			const { zone } = this.client;
			state = toInstants(state, (time) => toInstant(time, zone));
			uploads.isInstant = true;
		}
		if (state.isInstant) {
			const isMixed = this.isMixed(reading.uploads);
			const isWhole = reading.isWhole && reading.isRestarted;
			const areInstants = reading.uploads.every(({ isInstant }) => isInstant !== false);
			if (isWhole && areInstants && reading.uploads.length > 0)
				state = { ...state, isMixed: undefined };
			else if (isMixed && state.isMixed !== true) {
				state = withMixedDates(state, known.isInstant);
				reading = await this.scan(state, uploads);
			}
		}
		if (this.settings.event.follow === undefined) return { state, reading, gone: [] };
		const following = this.following(state, reading);
		return { state, ...(await recheck(state, uploads, reading, following, () => this.isTimeUp())) };
	}

	private async scan(state: CursorState, uploads: ServiceUploads): Promise<Reading> {
		const { lookback, maxUploads } = this.settings;
		const known = Object.keys(state.seen).length + Object.keys(state.filteredOut).length;
		const wanted = this.wanted(state, maxUploads);
		return await scan(uploads, {
			lower: windowStart(state, lookback) ?? this.startTime(state),
			order: state.order,
			place: state.place,
			isMixed: state.isMixed,
			isBacklog: state.isBacklog === true || state.mark === null,
			expected: known + maxUploads,
			isEnough: (found) => this.isEnough(state, found, wanted),
			isTimeUp: () => this.isTimeUp(),
		});
	}

	/** Known uploads do not count; otherwise a poll would never get past them. */
	private isEnough(state: CursorState, found: SeenUpload[], wanted: Wanted): boolean {
		const start = windowStart(state, wanted.lookback) ?? this.startTime(state);
		const isKnown = ({ id }: SeenUpload) =>
			[state.seen, state.filteredOut, state.followed].some((ids) => Object.hasOwn(ids, id));
		const unknown = found.filter((upload) => upload.time >= start && !isKnown(upload));
		if (unknown.length >= wanted.maxUploads * MAX_SCAN_FACTOR) return true;
		if (unknown.length < wanted.maxUploads) return false;
		const due = unknown.filter((upload) => wanted.isAfterStart(upload) && wanted.matches(upload));
		return due.length >= wanted.maxUploads;
	}

	wanted(state: CursorState, maxUploads: number): Wanted {
		const { lookback, filter, event } = this.settings;
		const { startAt, formerFilter } = state;
		return {
			lookback,
			maxUploads,
			isAfterStart: ({ record }) =>
				startAt === undefined ||
				(parseTime(record[event.date], this.client.zone) ?? Infinity) >= startAt,
			matches: (upload) => matchesFilter(filter, upload),
			wasExcluded: (upload) =>
				formerFilter !== undefined &&
				upload.time <= formerFilter.until &&
				!matchesFilter(formerFilter.rules, upload),
		};
	}

	following(
		state: CursorState,
		reading: Pick<Reading, 'serviceTime'>,
		maxUploads = this.settings.maxUploads,
	): Following {
		const { event, followFor } = this.settings;
		const { zone } = this.client;
		return {
			...this.wanted(state, maxUploads),
			rule: event.follow ?? { isDue: () => false, isShown: () => false, hasPreviousStatus: false },
			followFor,
			now: this.asPrinted(state, reading.serviceTime),
			zone: state.isInstant ? zone : 'UTC',
		};
	}

	/** The start date in the form of the times in records, which may be local. */
	private startTime({ startAt, isMixed }: CursorState): number {
		if (startAt === undefined) return 0;
		const start = Math.min(startAt, toLocalTime(startAt, this.client.zone));
		return isMixed ? start - MAX_ZONE_DIFFERENCE : start;
	}

	asPrinted({ isInstant }: CursorState, instant: number): number {
		return isInstant ? instant : toLocalTime(instant, this.client.zone);
	}

	private isMixed(found: SeenUpload[]): boolean {
		return [true, false].every((kind) => found.some(({ isInstant }) => isInstant === kind));
	}
}
