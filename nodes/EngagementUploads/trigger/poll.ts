/**
 * One poll: reads the parameters and the upload list, emits what is due, and finally stores the
 * state.
 */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { toOutput } from '../output/outputMapper';
import { serviceBase } from '../transport/address';
import { ServiceClient } from '../transport/client';
import { CREDENTIAL } from '../transport/http';
import { pollBudget } from '../transport/n8nCompat';
import { advance, type Emission, type Step } from './cursor';
import { advanceFollowing, dismissFailures } from './follow';
import { matchesFilter } from './filters';
import { ListReader } from './listReader';
import { MAX_PAGE_SIZE, showLatest } from './manualTest';
import { digest } from './oldState';
import type { Reading } from './progress';
import { triggerSettings, type TriggerSettings } from './settings';
import { initialState, withFilter, type CursorState, type Identity } from './state';
import { CursorStore } from './store';
import type { SeenUpload } from './upload';
import { workflowsOf } from './workflows';

const MAX_PARALLEL = 16;

type Workflows = Map<string, IDataObject | null>;

export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const settings = triggerSettings(context);
	const startedAt = Date.now();
	const budget = pollBudget(context);
	const open = async () =>
		await ServiceClient.open(context, {
			parallel: MAX_PARALLEL,
			timeout: settings.timeout,
			deadline: startedAt + budget * 0.9,
		});
	if (context.getMode() === 'manual') {
		const items = await new Poll(context, settings, await open(), startedAt, budget).test();
		return items.length > 0 ? [items] : null;
	}
	return await CursorStore.inTurn(context, startedAt + budget, async (store) => {
		// Too little time is left after waiting for another poll.
		if (Date.now() >= startedAt + budget * 0.8) return null;
		const items = await new Poll(context, settings, await open(), startedAt, budget).run(store);
		return items.length > 0 ? [items] : null;
	});
}

class Poll {
	private readonly reader: ListReader;

	constructor(
		private readonly context: IPollFunctions,
		private readonly settings: TriggerSettings,
		private readonly client: ServiceClient,
		private readonly startedAt: number,
		private readonly budget: number,
	) {
		this.reader = new ListReader(context.getNode(), settings, client, () => this.isTimeUp());
	}

	async run(store: CursorStore): Promise<INodeExecutionData[]> {
		const [identity, source] = await this.identity();
		const { filter, event, startsNow } = this.settings;
		const loaded = store.load(identity, { ...identity, source, filter });
		const { reader } = this;
		if (loaded === undefined && startsNow) {
			const state = await reader.firstLook(initialState(identity, filter));
			store.save(await this.withClient(state), false);
			return [];
		}
		const known = this.started(loaded?.state ?? initialState(identity, filter));
		const { state, reading, gone } = await reader.read(known);
		const kept = await this.withClient(state);
		// The state belongs to another client: this one was unknown until the first token was fetched.
		if (state.client !== '' && kept.client !== state.client) return [];
		const current = this.refiltered(kept, reading, loaded?.isUpToDate ?? true);
		const step = (maxUploads: number) =>
			event.follow === undefined
				? advance(current, reading, reader.wanted(current, maxUploads))
				: advanceFollowing(current, reading, reader.following(current, reading, maxUploads), gone);
		const { emit, next, workflows } = await this.withWorkflows(step);
		// Nothing is awaited from here on.
		const items = emit.map((emission) => this.itemOf(emission, workflows));
		return store.save(next, items.length > 0) ? items : [];
	}

	/**
	 * A test in the editor: the latest matching uploads, whatever the state, which is not changed.
	 */
	async test(): Promise<INodeExecutionData[]> {
		const { event, filter, includeWorkflow } = this.settings;
		this.settings.readStartDate();
		const isShown = (upload: SeenUpload) => matchesFilter(filter, upload);
		const uploads = this.reader.listFor(false, MAX_PAGE_SIZE);
		const shown = await showLatest(uploads, event, isShown, () => this.isTimeUp());
		const workflows = includeWorkflow
			? await workflowsOf(
					this.client,
					shown.map(({ upload }) => upload),
					Infinity,
				)
			: undefined;
		return shown.map((emission) => this.itemOf(emission, workflows));
	}

	/** The state for the current filter; what the former one excluded must not be emitted. */
	private refiltered(state: CursorState, reading: Reading, isUpToDate: boolean): CursorState {
		const { filter, event } = this.settings;
		const next = withFilter(state, filter);
		if (next === state) return state;
		const until = this.reader.asPrinted(state, reading.serviceTime);
		const formerFilter = isUpToDate ? state.formerFilter : { rules: state.filter, until };
		const refiltered = { ...next, formerFilter };
		return event.follow ? dismissFailures(refiltered, event.follow) : refiltered;
	}

	/** Start Date is evaluated when it is first seen. Version 0.1.0 evaluated it at each poll. */
	private started(state: CursorState): CursorState {
		if (state.startAt !== undefined) return state;
		const startAt = this.settings.readStartDate();
		if (startAt === undefined) return state;
		const isTakenOver = state.mark !== null && this.settings.isStartChanging;
		return { ...state, startAt: isTakenOver ? Math.min(startAt, state.mark ?? 0) : startAt };
	}

	/** What is due; with Include Workflow, only uploads whose workflow could be fetched in time. */
	private async withWorkflows(
		step: (maxUploads: number) => Step,
	): Promise<Step & { workflows?: Workflows }> {
		const { maxUploads, includeWorkflow } = this.settings;
		const whole = step(maxUploads);
		if (!includeWorkflow) return whole;
		const due = whole.emit.map(({ upload }) => upload);
		const workflows = await workflowsOf(this.client, due, this.startedAt + this.budget * 0.65);
		const without = due.findIndex(({ id }) => !workflows.has(id));
		return { ...(without < 0 ? whole : step(without)), workflows };
	}

	private isTimeUp(): boolean {
		return Date.now() >= this.startedAt + this.budget / 2;
	}

	/**
	 * The values that make the trigger start over when they change, in the current form and in that
	 * of 0.1.0.
	 */
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

	private itemOf({ upload, ...added }: Emission, workflows?: Workflows): INodeExecutionData {
		const { output } = this.settings;
		const json = toOutput(upload.record, 'upload', output, { zone: this.client.zone });
		const workflow = workflows && { workflow: workflows.get(upload.id) ?? null };
		return { json: { ...json, ...added, ...workflow } };
	}
}
