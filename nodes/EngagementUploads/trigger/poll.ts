/** One poll: parameters, the upload list, what is due, and at the very end the new state. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { toOutput } from '../output/outputMapper';
import { serviceBase } from '../transport/address';
import { ServiceClient } from '../transport/client';
import { inputError } from '../transport/errors';
import { CREDENTIAL } from '../transport/http';
import { pollBudget } from '../transport/n8nCompat';
import { parseTime } from '../values/dates';
import { toInstant, toLocalTime } from '../values/zones';
import { advance, baseline, type Emission, type Step, type Wanted } from './cursor';
import { advanceFollowing, followBaseline, turnDownFailures, type Following } from './follow';
import { matchesFilter } from './filters';
import { recheck } from './followed';
import { ServiceUploads } from './list';
import { showLatest } from './manualTest';
import { digest } from './oldState';
import { newestOf, windowStart, WIDEST_ZONES, withMixedDates, type Reading } from './progress';
import { scan, scanNewest } from './scan';
import { triggerSettings, type TriggerSettings } from './settings';
import { initialState, toInstants, withFilter, type CursorState, type Identity } from './state';
import { CursorStore } from './store';
import type { SeenUpload } from './upload';
import { workflowsOf } from './workflows';

const MOST_PARALLEL = 16;
/** Maximum number of uploads that a poll looks through, as a multiple of those it may emit. */
const MOST_SCANNED = 20;

type Workflows = Map<string, IDataObject | null>;

export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = triggerSettings(context);
	const begun = Date.now();
	const budget = pollBudget(context);
	const open = async () =>
		await ServiceClient.open(context, {
			parallel: MOST_PARALLEL,
			timeout: settings.timeout,
			deadline: begun + budget * 0.9,
		});
	if (context.getMode() === 'manual') {
		const items = await new Poll(context, settings, await open(), begun, budget).test();
		return items.length > 0 ? [items] : null;
	}
	return await CursorStore.inTurn(context, begun + budget, async (store) => {
		// Too late, after waiting for another poll.
		if (Date.now() >= begun + budget * 0.8) return null;
		const items = await new Poll(context, settings, await open(), begun, budget).run(store);
		return items.length > 0 ? [items] : null;
	});
}

class Poll {
	private readonly softDeadline: number;

	constructor(
		private readonly context: IPollFunctions,
		private readonly settings: TriggerSettings,
		private readonly client: ServiceClient,
		private readonly begun: number,
		private readonly budget: number,
	) {
		this.softDeadline = begun + budget / 2;
	}

	async run(store: CursorStore): Promise<INodeExecutionData[]> {
		const [identity, source] = await this.identity();
		const { filter, event, startsNow } = this.settings;
		const loaded = store.load(identity, { ...identity, source, filter });
		const uploads = this.uploads(loaded?.state.isInstant ?? false);
		if (loaded === undefined && startsNow) {
			const state = await this.firstLook(initialState(identity, filter), uploads);
			store.keep(await this.withClient(state), false);
			return [];
		}
		const known = this.started(loaded?.state ?? initialState(identity, filter));
		const { state, reading, gone } = await this.read(known, uploads);
		const kept = await this.withClient(state);
		// The state belongs to another client, which was unknown before the first token was
		// fetched.
		if (state.client !== '' && kept.client !== state.client) return [];
		const current = this.refiltered(kept, reading, loaded?.isUpToDate ?? true);
		const step = (maxUploads: number) =>
			event.follow === undefined
				? advance(current, reading, this.wanted(current, maxUploads))
				: advanceFollowing(current, reading, this.following(current, reading, maxUploads), gone);
		const { emit, next, workflows } = await this.withWorkflows(step);
		// Nothing is awaited from here on.
		const items = emit.map((emission) => this.itemOf(emission, workflows));
		return store.keep(next, items.length > 0) ? items : [];
	}

	/**
	 * A test in the editor: the latest matching uploads, whatever the state, which is not changed.
	 */
	async test(): Promise<INodeExecutionData[]> {
		const { event, filter, includeWorkflow } = this.settings;
		this.settings.readStartDate();
		const isShown = (upload: SeenUpload) => matchesFilter(filter, upload);
		const shown = await showLatest(this.uploads(false), event, isShown, () => this.isOver());
		const workflows = includeWorkflow
			? await workflowsOf(
					this.client,
					shown.map(({ upload }) => upload),
					Infinity,
				)
			: undefined;
		return shown.map((emission) => this.itemOf(emission, workflows));
	}

	/** Takes in everything listed, so that only uploads that are new from now on are emitted. */
	private async firstLook(state: CursorState, uploads: ServiceUploads): Promise<CursorState> {
		const { event, lookback, followFor } = this.settings;
		const lower = (found: SeenUpload[]) => {
			const isMixed = this.isMixed(found);
			const newest = newestOf(found, uploads.serviceTime);
			const start = windowStart({ previous: newest, since: null, isMixed }, lookback) ?? -Infinity;
			return event.follow === undefined
				? start
				: Math.min(start, uploads.serviceTime - followFor - WIDEST_ZONES);
		};
		const isOver = () => this.isOver();
		const look = async (isMixed = false) =>
			await scanNewest(uploads, { lower, filterLower: 0, isMixed, isOver });
		let reading = await look();
		uploads.isInstant = reading.uploads.some(({ isInstant }) => isInstant);
		const isLong = reading.uploads.length > this.settings.pageSize;
		const isMixed = this.isMixed(reading.uploads);
		if ((isLong || isMixed) && !this.isOver()) {
			// What slipped from one page to another the first time is found the second time.
			const again = await look(isMixed);
			const ids = new Set(again.uploads.map(({ id }) => id));
			const slipped = reading.uploads.filter(({ id }) => !ids.has(id));
			reading = { ...again, uploads: [...again.uploads, ...(isMixed ? [] : slipped)] };
		}
		if (!reading.isWhole && reading.order === undefined)
			throw inputError(
				this.context.getNode(),
				'The list of uploads could not be read in the time that n8n allows',
				'Increase Page Size, or decrease Look-Back',
			);
		const first = { ...state, isInstant: uploads.isInstant, ...(isMixed && { isMixed }) };
		return event.follow === undefined
			? baseline(first, reading, lookback)
			: followBaseline(first, reading, this.following(first, reading));
	}

	/** Continues reading the list, and starts again if dates must be interpreted differently. */
	private async read(known: CursorState, uploads: ServiceUploads) {
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
		return { state, ...(await recheck(state, uploads, reading, following, () => this.isOver())) };
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
			isOver: () => this.isOver(),
		});
	}

	/** Known uploads do not count, or a poll would never get past them. */
	private isEnough(state: CursorState, found: SeenUpload[], wanted: Wanted): boolean {
		const start = windowStart(state, wanted.lookback) ?? this.startTime(state);
		const isKnown = ({ id }: SeenUpload) =>
			[state.seen, state.filteredOut, state.followed].some((ids) => Object.hasOwn(ids, id));
		const news = found.filter((upload) => upload.time >= start && !isKnown(upload));
		if (news.length >= wanted.maxUploads * MOST_SCANNED) return true;
		if (news.length < wanted.maxUploads) return false;
		const due = news.filter((upload) => wanted.isAfterStart(upload) && wanted.matches(upload));
		return due.length >= wanted.maxUploads;
	}

	private wanted(state: CursorState, maxUploads: number): Wanted {
		const { lookback, filter, event } = this.settings;
		const { startAt, formerFilter } = state;
		return {
			lookback,
			maxUploads,
			isAfterStart: ({ record }) =>
				startAt === undefined ||
				(parseTime(record[event.date], this.client.zone) ?? Infinity) >= startAt,
			matches: (upload) => matchesFilter(filter, upload),
			wasTurnedDown: (upload) =>
				formerFilter !== undefined &&
				upload.time <= formerFilter.until &&
				!matchesFilter(formerFilter.rules, upload),
		};
	}

	private following(
		state: CursorState,
		reading: Pick<Reading, 'serviceTime'>,
		maxUploads = this.settings.maxUploads,
	): Following {
		const { event, followFor } = this.settings;
		const { zone } = this.client;
		return {
			...this.wanted(state, maxUploads),
			rule: event.follow ?? { isDue: () => false, isShown: () => false, tellsPrevious: false },
			followFor,
			now: this.asPrinted(state, reading.serviceTime),
			zone: state.isInstant ? zone : 'UTC',
		};
	}

	/** The state for the current filter; what the former one filtered out must not be emitted. */
	private refiltered(state: CursorState, reading: Reading, isUpToDate: boolean): CursorState {
		const { filter, event } = this.settings;
		const next = withFilter(state, filter);
		if (next === state) return state;
		const until = this.asPrinted(state, reading.serviceTime);
		const formerFilter = isUpToDate ? state.formerFilter : { rules: state.filter, until };
		const refiltered = { ...next, formerFilter };
		return event.follow ? turnDownFailures(refiltered, event.follow) : refiltered;
	}

	/** Start Date is evaluated when it is first seen. Version 0.1.0 evaluated it at each poll. */
	private started(state: CursorState): CursorState {
		if (state.startAt !== undefined) return state;
		const startAt = this.settings.readStartDate();
		if (startAt === undefined) return state;
		const isTakenOver = state.mark !== null && this.settings.isStartChanging;
		return { ...state, startAt: isTakenOver ? Math.min(startAt, state.mark ?? 0) : startAt };
	}

	/** The start date in terms of printed times, which may be local. */
	private startTime({ startAt }: CursorState): number {
		return startAt === undefined ? 0 : Math.min(startAt, toLocalTime(startAt, this.client.zone));
	}

	private asPrinted({ isInstant }: CursorState, instant: number): number {
		return isInstant ? instant : toLocalTime(instant, this.client.zone);
	}

	private isMixed(found: SeenUpload[]): boolean {
		return [true, false].every((kind) => found.some(({ isInstant }) => isInstant === kind));
	}

	/** What is due; with Include Workflow, as far as there was time to fetch the workflows. */
	private async withWorkflows(
		step: (maxUploads: number) => Step,
	): Promise<Step & { workflows?: Workflows }> {
		const { maxUploads, includeWorkflow } = this.settings;
		const whole = step(maxUploads);
		if (!includeWorkflow) return whole;
		const due = whole.emit.map(({ upload }) => upload);
		const workflows = await workflowsOf(this.client, due, this.begun + this.budget * 0.65);
		const without = due.findIndex(({ id }) => !workflows.has(id));
		return { ...(without < 0 ? whole : step(without)), workflows };
	}

	private isOver(): boolean {
		return Date.now() >= this.softDeadline;
	}

	private uploads(isInstant: boolean): ServiceUploads {
		return new ServiceUploads(this.client, this.settings.event, this.settings.pageSize, isInstant);
	}

	/** What makes the trigger start over if it changes, and the same for version 0.1.0. */
	private async identity(): Promise<[Identity, source: string]> {
		const { event, start } = this.settings;
		const { baseUrl, client } = await this.account();
		const identity = { event: event.value, client: client && digest(client), start: digest(start) };
		return [identity, JSON.stringify([serviceBase(baseUrl), client, start])];
	}

	/** The client may be unknown until the first token has been fetched. */
	private async withClient(state: CursorState): Promise<CursorState> {
		const { client } = await this.account();
		return { ...state, client: client && digest(client) };
	}

	private async account() {
		const { baseUrl, clientId, sessionClientId } = await this.context.getCredentials(CREDENTIAL);
		const client = String(clientId || sessionClientId || '');
		return { baseUrl, client: client.trim().toLowerCase() };
	}

	private itemOf({ upload, ...told }: Emission, workflows?: Workflows): INodeExecutionData {
		const { output } = this.settings;
		const json = toOutput(upload.record, 'upload', output, { zone: this.client.zone });
		const workflow = workflows && { workflow: workflows.get(upload.id) ?? null };
		return { json: { ...json, ...told, ...workflow } };
	}
}
