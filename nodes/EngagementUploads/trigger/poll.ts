/**
 * One poll: reads the parameters and the upload list, emits what is due, and finally stores the
 * state.
 */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { listConnectors } from '../api/endpoints';
import { toOutput } from '../output/outputMapper';
import { ruleMatcher, type FilterRule } from '../fields/uploadFilters';
import { namesInUploads } from '../search/connectors';
import { CREDENTIAL, parseCredential } from '../transport/credential/credential';
import { ServiceClient } from '../transport/client/client';
import { nodeError } from '../transport/failures/errors';
import { readList } from '../transport/lists/lists';
import { systemClock } from '../transport/http/pool';
import { pollBudget } from '../transport/n8nCompat';
import { InputError } from '../values/inputError';
import { advance, type Emission, type Step, type Wanted } from './cursor';
import { fetchFollowed } from './followed';
import { UploadList } from './list';
import { MAX_PAGE_SIZE, showLatest } from './manualTest';
import { isWaiting, reportOutage } from './outage';
import { rulesOf, triggerSettings, type TriggerSettings } from './settings';
import {
	fingerprint,
	initialState,
	inZone,
	withFilter,
	type Connectors,
	type Identity,
} from './state';
import { CursorStore } from './store';
import { readUploads } from './scan';
import { workflowsOf } from './workflows';

const MAX_PARALLEL = 16;
/** Dates may be off by as much as zones differ, and an hour. */
const FIRST_LOOK_MARGIN = 27 * 3_600_000;
/** Parts of a poll's time: workflows are requested until one, nothing is after the other. */
const WORKFLOWS = 0.8;
const DEADLINE = 0.9;

type Workflows = Map<string, IDataObject | null>;

export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const time = pollTime(pollBudget(context));
	try {
		const items =
			context.getMode() === 'manual'
				? await (await Poll.open(context, triggerSettings(context), time)).test()
				: await scheduledPoll(context, time);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		throw nodeError(context.getNode(), error);
	}
}

async function scheduledPoll(context: IPollFunctions, time: PollTime) {
	const items = await CursorStore.run(context, time.at(1), async (store) => {
		if (isWaiting(store)) return [];
		let settings: TriggerSettings | undefined;
		try {
			const own = triggerSettings(context);
			settings = store.settings(own);
			if (own.event !== settings.event || own.start !== settings.start) return [];
			const items = await (await Poll.open(context, settings, time)).run(store);
			store.outage = undefined;
			return items;
		} catch (error) {
			return reportOutage(context, store, settings, error);
		}
	});
	return items ?? [];
}

type PollTime = ReturnType<typeof pollTime>;

/** The time that a poll has: when a part of it is over, on the monotonic clock, and which part is. */
function pollTime(budget: number) {
	const start = systemClock.now();
	const at = (part: number) => start + budget * part;
	return { at, used: () => (systemClock.now() - start) / budget };
}

class Poll {
	private constructor(
		private readonly context: IPollFunctions,
		private readonly settings: TriggerSettings,
		private readonly client: ServiceClient,
		private readonly time: PollTime,
	) {}

	static async open(context: IPollFunctions, settings: TriggerSettings, time: PollTime) {
		const { timeout } = settings;
		const options = { parallel: MAX_PARALLEL, timeout, deadline: time.at(DEADLINE) };
		return new Poll(context, settings, await ServiceClient.open(context, options), time);
	}

	async run(store: CursorStore): Promise<INodeExecutionData[]> {
		const { startsNow, filters, readStartDate } = this.settings;
		const { zone } = this.client;
		const identity = await this.identity();
		const saved = store.load(identity);
		// When n8n starts again, a connector may be gone that was there when the user published.
		const isPublished = store.isFirst && this.context.getActivationMode() !== 'init';
		const connectors = await this.connectors(isPublished ? undefined : saved?.connectors);
		const filter = rulesOf(filters, connectors?.names);
		const before = inZone(withFilter(saved ?? initialState(identity, filter), filter), zone);
		// Start Date is evaluated when it is first seen.
		const known = { ...before, startAt: before.startAt ?? readStartDate() };
		const isFirstLook = saved === undefined && startsNow;
		const { list, wanted } = this.reading(filter, isFirstLook);
		const reading = await readUploads(list, known, wanted);
		const followed = await fetchFollowed(known, list, reading.uploads, wanted);
		const client = await this.clientPrint();
		// The state belongs to another client: this one was unknown until the first token was fetched.
		if (known.client !== '' && client !== known.client) return [];
		const hasLocal = reading.uploads.some(({ isLocal }) => isLocal);
		// The service's time passes while workflows are fetched.
		const { now } = wanted;
		// A first look that was empty by mistake must not make old uploads new.
		const { event, lookback } = this.settings;
		const firstStart =
			isFirstLook && !event.isFollowing && this.client.hasServiceTime
				? { startAt: now - lookback - FIRST_LOOK_MARGIN }
				: {};
		const state = { ...known, ...firstStart, client, connectors, ...(hasLocal && { zone }) };
		const { emit, next, workflows } = await this.withWorkflows((maxUploadsPerPoll) =>
			advance(state, reading, followed, { ...wanted, now, maxUploadsPerPoll }),
		);
		// A backlog is read oldest first from the next poll on, which leaves more time for it.
		const isStuck =
			next.watermark === state.watermark && state.isBacklog === true && emit.length === 0;
		const isTooMuch = isFirstLook || isStuck;
		const isNothingDone = emit.length === 0 && next.watermark === state.watermark;
		if (reading.failure !== undefined && isNothingDone) await Promise.reject(reading.failure);
		if (!reading.isWhole && isTooMuch) throw this.tooMuch();
		// Nothing is awaited from here on.
		const items = emit.map((emission) => this.itemOf(emission, workflows));
		return store.save(next, items.length > 0) ? items : [];
	}

	/** A test in the editor: the latest matching uploads, whatever the state, which stays as it is. */
	async test(): Promise<INodeExecutionData[]> {
		const { includeWorkflow, filters, pageSize, readStartDate } = this.settings;
		readStartDate();
		const connectors = await this.connectors(undefined);
		const filter = rulesOf(filters, connectors?.names);
		const { list, wanted } = this.reading(filter, false, Math.min(pageSize, MAX_PAGE_SIZE));
		const shown = await showLatest(list, wanted);
		const uploads = shown.map(({ upload }) => upload);
		const workflows = includeWorkflow
			? await workflowsOf(this.client, uploads, () => false)
			: undefined;
		return shown.map((emission) => this.itemOf(emission, workflows));
	}

	/** The list, and what is wanted of it. */
	private reading(filter: FilterRule[], isFirstLook: boolean, pageSize = this.settings.pageSize) {
		const { settings, client, time } = this;
		const list = new UploadList(client, settings.event, pageSize, time.used);
		const isWanted = ruleMatcher(filter);
		const wanted: Wanted = {
			...settings,
			isFirstLook,
			matches: ({ record }) => isWanted(record),
			get now() {
				return client.serviceTime;
			},
		};
		return { list, wanted };
	}

	/** The list cannot be read in a poll's time, which would be the same at the next poll. */
	private tooMuch() {
		return new InputError(
			'The list of uploads could not be read in the time that n8n allows',
			this.settings.event.isFollowing
				? 'Increase Page Size, or decrease Look-Back or Follow For'
				: 'Increase Page Size, or decrease Look-Back',
		);
	}

	/** What is due; with Include Steps, only uploads whose workflow could be fetched in time. */
	private async withWorkflows(
		step: (maxUploadsPerPoll: number) => Step,
	): Promise<Step & { workflows?: Workflows }> {
		const { maxUploadsPerPoll, includeWorkflow } = this.settings;
		const whole = step(maxUploadsPerPoll);
		if (!includeWorkflow) return whole;
		const due = whole.emit.map(({ upload }) => upload);
		const workflows = await workflowsOf(this.client, due, () => this.time.used() >= WORKFLOWS);
		const without = due.findIndex(({ id }) => !workflows.has(id));
		return { ...(without < 0 ? whole : step(without)), workflows };
	}

	/** The connectors of the filter, looked up when the workflow is published or tested. */
	private async connectors(saved: Connectors | undefined): Promise<Connectors | undefined> {
		const entered = this.settings.filters.connectorNames;
		if (entered === undefined) return undefined;
		if (JSON.stringify(saved?.entered) === JSON.stringify(entered)) return saved;
		const list = await readList(this.client, listConnectors());
		return { entered, names: namesInUploads(list, entered) };
	}

	/** The values that make the trigger start over when they change. */
	private async identity(): Promise<Identity> {
		const { event, start } = this.settings;
		return { event: event.value, client: await this.clientPrint(), start };
	}

	/** A fingerprint; empty until the first token has been fetched, which may tell the client. */
	private async clientPrint(): Promise<string> {
		const { clientId } = parseCredential(await this.context.getCredentials(CREDENTIAL));
		return clientId && fingerprint(clientId.toLowerCase());
	}

	private itemOf({ upload, ...added }: Emission, workflows?: Workflows): INodeExecutionData {
		const { zone } = this.client;
		const json = toOutput(upload.record, 'upload', this.settings, { zone });
		const workflow = workflows && { workflow: workflows.get(upload.id) ?? null };
		return { json: { ...json, ...added, ...workflow } };
	}
}
