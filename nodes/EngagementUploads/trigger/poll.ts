/**
 * One poll: reads the parameters and the upload list, decides what is due, and saves the state at the
 * very end. Invariant: a poll that can emit something does; otherwise it moves on, or says why not.
 */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { toOutput } from '../service/output';
import { ServiceClient } from '../transport/client';
import { CREDENTIAL, parseCredential } from '../transport/credential';
import { nodeError } from '../transport/errors';
import { timeOfDay } from '../values/clock';
import { advance, isDue, MAX_AHEAD, type Emission, type Found } from './cursor';
import { readFollowed } from './followed';
import { UploadList } from './list';
import { MAX_PAGE_SIZE, showLatest } from './manualTest';
import { isWaiting, reportOutage } from './outage';
import { noteSuccess, PARTS, PollLock, pollMode, type PollMode } from './pollMode';
import { triggerSettings, type TriggerSettings } from './settings';
import { fingerprint, initialState, inZone, isSameIdentity, StateHome } from './state';
import type { Identity, State } from './state';
import { fetchWorkflows, type Workflows } from './steps';
import { readWindow } from './window';

const MAX_PARALLEL = 16;
const HOUR = 3_600_000;
/** The first poll records this much more than the look-back: zones differ, and clocks change. */
const FIRST_WINDOW = MAX_AHEAD + 2 * HOUR;
/** The same if no `Date` header tells how far the service's clock is off. */
const FIRST_WINDOW_WITHOUT_TIME = 7 * 24 * HOUR;

export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const mode = pollMode(context);
	try {
		const isTest = mode.kind === 'test';
		const items = isTest ? await test(context, mode) : await pollAlone(context, mode);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		throw nodeError(context.getNode(), error);
	}
}

async function pollAlone(context: IPollFunctions, mode: PollMode): Promise<INodeExecutionData[]> {
	const lock = PollLock.tryAcquire(context, mode);
	if (lock === undefined) return [];
	const home = new StateHome(context, mode);
	let settings: TriggerSettings | undefined;
	try {
		if (isWaiting(context, mode, home)) return [];
		// Nothing is awaited before: after a while, n8n cannot evaluate expressions any more.
		settings = triggerSettings(context);
		const items = await readAndEmit(await openPoll(context, mode, settings), home, lock);
		if (lock.isHeld) home.outage = undefined;
		return items;
	} catch (error) {
		return lock.isHeld ? reportOutage(context, mode, home, settings, error) : [];
	} finally {
		lock.release();
	}
}

/** What a poll works with. What goes wrong with one kind of request does not hold up the others. */
interface Poll {
	context: IPollFunctions;
	mode: PollMode;
	settings: TriggerSettings;
	list: UploadList;
	followedList: UploadList;
	stepsClient: ServiceClient;
}

async function openPoll(
	context: IPollFunctions,
	mode: PollMode,
	settings: TriggerSettings,
	pageSize = settings.pageSize,
): Promise<Poll> {
	const { event, timeout } = settings;
	const data = await context.getCredentials(CREDENTIAL);
	const client = (deadline: number) =>
		new ServiceClient(context, data, { parallel: MAX_PARALLEL, timeout, deadline });
	const list = (deadline: number) => new UploadList(client(deadline), event, pageSize, deadline);
	return {
		context,
		mode,
		settings,
		list: list(mode.timeAt(PARTS.list)),
		followedList: list(mode.timeAt(PARTS.followed)),
		stepsClient: client(mode.timeAt(PARTS.steps)),
	};
}

/** The story of a poll; nothing is saved before the end. */
async function readAndEmit(
	self: Poll,
	home: StateHome,
	lock: PollLock,
): Promise<INodeExecutionData[]> {
	const { context, mode, settings, list } = self;
	const identity = await readIdentity(context, settings);
	const saved = home.load(identity) ?? (await startState(self, identity));
	const state = inZone(saved, list.client.zone);
	const found = await read(self, state);
	// In durable polling, a first poll only shows that the service can be read.
	if (mode.kind === 'first' && state.isDurable) {
		noteSuccess(context);
		return [];
	}
	const { emit, next, workflows } = await decide(self, state, found);
	if (emit.length === 0) assertProgress(self, state, found, next, workflows);
	// A token fetched meanwhile may have shown that this state belongs to another client.
	const revealed = await readIdentity(context, settings);
	if (!isSameIdentity(state, revealed) || !lock.isHeld) return [];
	// Nothing is awaited from here on.
	const items = emit.map((emission) => toItem(self, emission, workflows));
	const hasLocalTimes = found.reading.uploads.some(({ isLocal }) => isLocal);
	const zone = hasLocalTimes ? list.client.zone : state.zone;
	home.save({ ...next, ...revealed, ...(zone && { zone }) }, items.length > 0);
	return items;
}

/** What makes the trigger start over when it changes. */
async function readIdentity(
	context: IPollFunctions,
	{ event, start }: TriggerSettings,
): Promise<Identity> {
	const { clientId } = parseCredential(await context.getCredentials(CREDENTIAL));
	// Empty until the first token has been fetched, which may reveal it.
	const client = clientId && fingerprint(clientId.toLowerCase());
	return { event: event.value, client, start };
}

async function startState({ settings, list }: Poll, identity: Identity): Promise<State> {
	if (!settings.startsNow) return initialState(identity, settings.readStartDate() ?? null, false);
	// The service tells its time with its first response.
	await list.pages({ from: timeOfDay(), pageSize: 1 }).next();
	const { event, followFor, lookback } = settings;
	const { hasServiceTime, serviceTime } = list.client;
	const margin = hasServiceTime ? FIRST_WINDOW : FIRST_WINDOW_WITHOUT_TIME;
	const length = Math.max(event.isFollowing ? followFor : 0, lookback + margin);
	// One wrong `Date` header, far ahead, must not hide all that is new until then.
	return initialState(identity, Math.min(serviceTime, timeOfDay()) - length, true);
}

async function read({ settings, list, followedList }: Poll, state: State): Promise<Found> {
	const { windowStart, margin, isBaseline, known } = state;
	const { maxUploadsPerPoll: limit } = settings;
	const expected = isBaseline ? Infinity : Object.keys(known).length + limit;
	const reading = await readWindow(list, {
		...{ windowStart, margin, expected, limit },
		isDue: (upload) => isDue(state, upload, settings, list.client.serviceTime),
	});
	const now = list.client.serviceTime;
	const followed = await readFollowed(followedList, state, reading, settings, now);
	return { reading, followed, now };
}

/** What to emit; with Include Steps, only the oldest of it, up to the first whose steps are missing. */
async function decide({ settings, stepsClient }: Poll, state: State, found: Found) {
	const all = advance(state, found, settings, settings.maxUploadsPerPoll);
	if (!settings.includeWorkflow) return { ...all, workflows: undefined };
	const due = all.emit.map(({ upload }) => upload);
	const workflows = await fetchWorkflows(stepsClient, due);
	const ready = due.findIndex(({ id }) => !workflows.records.has(id));
	return { ...(ready < 0 ? all : advance(state, found, settings, ready)), workflows };
}

/** @throws why nothing was emitted, unless nothing is due or the poll has moved on */
function assertProgress(
	{ mode, list }: Poll,
	state: State,
	{ reading, followed }: Found,
	next: State,
	workflows: Workflows | undefined,
): void {
	const failure = workflows?.failure ?? followed.failure;
	if (failure !== undefined) throw failure;
	if (reading.failure === undefined || next.watermark !== state.watermark) return;
	// After a restart of n8n, the first poll has less time than the next ones.
	if (mode.kind === 'first' && state.watermark !== null && list.isTimeUp) return;
	throw reading.failure;
}

function toItem(
	{ settings, list }: Poll,
	{ upload, ...added }: Emission,
	workflows: Workflows | undefined,
): INodeExecutionData {
	const { zone } = list.client;
	const json: IDataObject = { ...toOutput(upload.record, 'upload', settings, { zone }), ...added };
	if (workflows !== undefined) json.workflow = workflows.records.get(upload.id) ?? null;
	return { json };
}

/** A test in the editor: the latest matching uploads, whatever the state, which stays as it is. */
async function test(context: IPollFunctions, mode: PollMode): Promise<INodeExecutionData[]> {
	const settings = triggerSettings(context);
	// Only to tell the user whether it is valid.
	settings.readStartDate();
	const self = await openPoll(context, mode, settings, Math.min(settings.pageSize, MAX_PAGE_SIZE));
	const shown = await showLatest(self.list, settings);
	const uploads = shown.map(({ upload }) => upload);
	const { includeWorkflow } = settings;
	const workflows = includeWorkflow ? await fetchWorkflows(self.stepsClient, uploads) : undefined;
	return shown.map((emission) => toItem(self, emission, workflows));
}
