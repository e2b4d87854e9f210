/** One poll: parameters, what the service lists, what is due, and at the very end the new state. */
import { createHash } from 'crypto';
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { parseTime } from '../values/dates';
import { toOutput } from '../output/outputMapper';
import { toLocalTime } from '../values/zones';
import { serviceBase } from '../transport/address';
import { CREDENTIAL } from '../transport/http';
import { ServiceClient } from '../transport/client';
import {
	advance,
	baseline,
	byTime,
	initialState,
	isDue,
	noteOf,
	windowStart,
	withFilter,
	type CursorState,
	type Reading,
	type Step,
	type Wanted,
} from './cursor';
import { ServiceUploads } from './list';
import { Memory } from './memory';
import { readFrom, readNewest } from './reader';
import { triggerSettings, type TriggerSettings } from './settings';
import type { CompletedUpload } from './upload';
import { WIDEST_SHIFT } from './walk';
import { workflowsOf } from './workflows';

const MOST_PARALLEL = 16;
const SHOWN_IN_TEST = 5;
/** Uploads that a poll looks through at the most, in multiples of those it may emit. */
const MOST_SCANNED = 20;

export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = triggerSettings(context);
	const begun = Date.now();
	return await Memory.during(context, async (memory) => {
		const budget = memory.end - begun;
		const service = await ServiceClient.open(context, {
			parallel: MOST_PARALLEL,
			timeout: settings.timeout,
			deadline: begun + budget * 0.9,
		});
		const run = new Poll(context, settings, service, memory, begun + budget / 2);
		return context.getMode() === 'manual' ? await run.test() : await run.poll();
	});
}

class Poll {
	constructor(
		private readonly context: IPollFunctions,
		private readonly settings: TriggerSettings,
		private readonly service: ServiceClient,
		private readonly memory: Memory,
		/** When what was read so far is enough, epoch milliseconds. */
		private readonly halfTime: number,
	) {}

	async poll(): Promise<INodeExecutionData[][] | null> {
		const known = await this.knownState();
		if (known === undefined && this.settings.startFrom === 'now') return await this.firstLook();
		const state = known ?? (await this.freshState());
		const uploads = new ServiceUploads(this.service, this.settings.pageSize, state.isInstant);
		const reading = await this.read(state, uploads);
		const due = advance(state, reading, this.wanted).emit;
		const workflows = this.settings.includeWorkflow
			? await workflowsOf(this.service, due, this.halfTime)
			: undefined;
		const source = await this.source();

		// Nothing is awaited from here on: polls overlap, and what another one emitted since is not due.
		const live = this.current(source) ?? { ...state, source };
		const { emit, next } = this.step(live, reading, workflows);
		const items = emit.map((upload) => this.itemOf(upload, workflows));
		const isEmitting = items.length > 0;
		this.memory.keep(next, { isFirstLook: known === undefined && !isEmitting, isEmitting });
		return isEmitting ? [items] : null;
	}

	/** What is due now; where workflows are added, as far as there was time to get them. */
	private step(
		state: CursorState,
		reading: Reading,
		workflows: Map<string, unknown> | undefined,
	): Step {
		const step = advance(state, reading, this.wanted);
		const without =
			workflows === undefined ? -1 : step.emit.findIndex(({ id }) => !workflows.has(id));
		return without < 0 ? step : advance(state, reading, { ...this.wanted, maxUploads: without });
	}

	/** A test in the editor: the latest matching uploads, whatever the state, which stays as it is. */
	async test(): Promise<INodeExecutionData[][] | null> {
		const uploads = new ServiceUploads(this.service, this.settings.pageSize, false);
		const matching = (found: CompletedUpload[]) =>
			found.filter((upload) => this.settings.filter.matches(upload));
		const isOver = () => Date.now() >= this.halfTime;
		const isEnough = (found: CompletedUpload[], isDescending: boolean) =>
			(isDescending && matching(found).length >= SHOWN_IN_TEST) || isOver();
		const newest = await readNewest(uploads, isEnough, isOver);
		const shown = matching(newest.uploads).sort(byTime).slice(-SHOWN_IN_TEST);
		const workflows = this.settings.includeWorkflow
			? await workflowsOf(this.service, shown, Infinity)
			: undefined;
		return shown.length === 0 ? null : [shown.map((upload) => this.itemOf(upload, workflows))];
	}

	/** Takes in what is listed as completed, so that only what completes from now on is emitted. */
	private async firstLook(): Promise<null> {
		const { lookback, pageSize } = this.settings;
		const uploads = new ServiceUploads(this.service, pageSize, false);
		const newest = await readNewest(uploads, () => true);
		const hint = newest.uploads
			.filter(({ time }) => time <= latestCredible(uploads))
			.sort(byTime)
			.at(-1);
		const lower = windowStart({ mark: hint?.time ?? null, since: null }, lookback) ?? 0;
		const reading = newest.isAll
			? { uploads: newest.uploads, completeTo: Infinity, filterShift: null, gone: [] }
			: await readFrom(uploads, {
					lower,
					filterShift: null,
					controls: new Map(),
					isNews: () => true,
					isEnough: () => false,
					most: Infinity,
					latestCredible: () => latestCredible(uploads),
				});
		const fresh = await this.freshState();
		if (this.current(fresh.source) !== undefined) return null;
		const state = baseline(
			fresh,
			{ ...reading, latestCredible: latestCredible(uploads) },
			lookback,
		);
		this.memory.keep(state, { isFirstLook: true, isEmitting: false });
		return null;
	}

	private async read(state: CursorState, uploads: ServiceUploads): Promise<Reading> {
		const { lookback } = this.settings;
		const lower = windowStart(state, lookback) ?? this.startTime();
		const controls = new Map(
			Object.entries(state.noted)
				.filter(([, { gone, time }]) => gone === undefined && time >= lower)
				.map(([id, { time }]) => [id, time]),
		);
		const reading = await readFrom(uploads, {
			lower,
			// Only while something is known to be listed can it be seen that the filter has moved.
			filterShift: controls.size > 0 ? state.filterShift : null,
			controls,
			isNews: (upload) => this.isNews(state, upload),
			isEnough: (found) => this.isEnough(state, found),
			most: this.settings.maxUploads + controls.size,
			latestCredible: () => latestCredible(uploads),
		});
		return { ...reading, latestCredible: latestCredible(uploads) };
	}

	private isEnough(state: CursorState, found: CompletedUpload[]): boolean {
		const { maxUploads } = this.settings;
		const news = found.filter((upload) => this.isNews(state, upload)).length;
		if (news > 0 && Date.now() >= this.halfTime) return true;
		if (news >= maxUploads * MOST_SCANNED) return true;
		if (found.length < maxUploads) return false;
		const { wanted } = this;
		return found.filter((upload) => isDue(state, upload, wanted)).length >= maxUploads;
	}

	/** What is noted already does not count: a poll that stopped at it would never get beyond it. */
	private isNews(state: CursorState, upload: CompletedUpload): boolean {
		return noteOf(state, upload.id) === undefined || isDue(state, upload, this.wanted);
	}

	private get wanted(): Wanted {
		const { lookback, maxUploads, filter, startAt } = this.settings;
		const isAfterStart = ({ record }: CompletedUpload) =>
			startAt === undefined ||
			(parseTime(record.completionDate, this.service.zone) ?? Infinity) >= startAt;
		return { lookback, maxUploads, isAfterStart, matches: (upload) => filter.matches(upload) };
	}

	/** Where a start date lies among printed times, which may be local ones. */
	private startTime(): number {
		const { startAt } = this.settings;
		return startAt === undefined ? 0 : Math.min(startAt, toLocalTime(startAt, this.service.zone));
	}

	private async knownState(): Promise<CursorState | undefined> {
		return this.current(await this.source());
	}

	/** A state of this service and start, for the filter as it is now. */
	private current(source: string): CursorState | undefined {
		const state = this.memory.stateOf(source);
		return state === undefined ? undefined : withFilter(state, this.filterFingerprint);
	}

	private async freshState(): Promise<CursorState> {
		return initialState(await this.source(), this.filterFingerprint);
	}

	private get filterFingerprint(): string {
		return digest(this.settings.filter.fingerprint);
	}

	/** Service, client and start: when one of them changes, the trigger starts over. */
	private async source(): Promise<string> {
		const { baseUrl, clientId, sessionClientId } = await this.context.getCredentials(CREDENTIAL);
		const client = String(clientId || sessionClientId || '')
			.trim()
			.toLowerCase();
		return digest(JSON.stringify([serviceBase(baseUrl), client, this.settings.startFingerprint]));
	}

	private itemOf(
		{ record, id }: CompletedUpload,
		workflows?: Map<string, IDataObject | null>,
	): INodeExecutionData {
		const json = toOutput(record, 'upload', this.settings.output, { zone: this.service.zone });
		return {
			json: workflows === undefined ? json : { ...json, workflow: workflows.get(id) ?? null },
		};
	}
}

/** A time later than this is a mistake: the service's own time, or ours without it, and 26 hours. */
function latestCredible({ serviceTime }: ServiceUploads): number {
	return (serviceTime ?? Date.now()) + WIDEST_SHIFT;
}

function digest(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
