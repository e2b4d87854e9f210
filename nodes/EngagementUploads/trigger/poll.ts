/**
 * One poll: reads the upload list, decides what is due, and saves the state at the very end. Invariant: a
 * poll that can emit something does. One that cannot throws the reason, if the requests for followed uploads or
 * steps failed, or that for the list before it brought anything new.
 */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { nodeError } from '../transport/errors';
import { timeOfDay } from '../values/clock';
import { advance, isDue, type Found } from './cursor';
import { readFollowed } from './followed';
import { testTrigger } from './manualTest';
import { endOutage, mustWait, reportOutage, safeText } from './outage';
import { noteStarted, PollLock, readPollMode, type PollMode } from './pollMode';
import { openSession, type Session } from './session';
import { assertConnectorsExist, readTriggerSettings, type TriggerSettings } from './settings';
import { toZone, createState, isSameIdentity, readIdentity, type State } from './state';
import { fetchWorkflows, toItem } from './steps';
import { StateStore } from './store';
import type { SeenUpload } from './upload';
import { readWindow, type Reading, type WindowQuery } from './window';

export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const mode = readPollMode(context);
		const isTest = mode.kind === 'test';
		const items = isTest ? await testTrigger(context, mode) : await pollWithLock(context, mode);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const thrown = nodeError(context.getNode(), error);
		throw Object.assign(thrown, { message: safeText(thrown.message) });
	}
}

async function pollWithLock(
	context: IPollFunctions,
	mode: PollMode,
): Promise<INodeExecutionData[]> {
	const lock = PollLock.tryAcquire(context, mode);
	if (lock === undefined) return [];
	const store = new StateStore(context, mode);
	let settings: TriggerSettings | undefined;
	try {
		if (store.isOutdated || mustWait(context, mode, store)) return [];
		// Before anything is awaited, since n8n cannot evaluate expressions after a while.
		settings = readTriggerSettings(context);
		const items = await readAndEmit(context, mode, settings, store, lock);
		if (lock.isHeld) noteStarted(context);
		return items;
	} catch (error) {
		return lock.isHeld ? reportOutage(context, mode, store, settings, error) : [];
	} finally {
		lock.release();
	}
}

/** The course of a poll. Nothing is saved before the end. */
async function readAndEmit(
	context: IPollFunctions,
	mode: PollMode,
	settings: TriggerSettings,
	store: StateStore,
	lock: PollLock,
): Promise<INodeExecutionData[]> {
	const session = await openSession(context, mode, settings);
	const { list } = session;
	if (mode.isInteractive) await assertConnectorsExist(settings, list.client);
	const identity = await readIdentity(context, settings);
	const saved = store.load(identity) ?? createState(identity, settings, await readTime(session));
	const state = toZone(saved, list.client.zone);

	const found = await readUploads(session, state);
	store.hasReadList = found.reading.failure === undefined;
	// In durable polling, a first poll may not see the newest state, so it only tries to read the list.
	if (mode.kind === 'first' && state.isDurable) return [];
	const { emit, next, workflows } = await decide(session, state, found);
	if (emit.length === 0) assertProgress(session, state, next, found, workflows?.failure);

	// A token fetched meanwhile may have revealed that the state belongs to another client.
	const revealed = await readIdentity(context, settings);
	if (!isSameIdentity(state, revealed) || !lock.isHeld) return [];
	// Nothing is awaited from here on.
	const items = emit.map((emission) => toItem(session, emission, workflows));
	const parts = [found.reading, found.followed, workflows];
	const hasReadAll = parts.every((part) => part?.failure === undefined);
	endOutage(store, hasReadAll);
	store.save(state, { ...next, ...revealed }, items.length > 0);
	return items;
}

/** When the trigger starts. For Start From Now, the first response says what the service's time is. */
async function readTime({ settings, list }: Session): Promise<number> {
	if (settings.startsNow) await list.pages({ queryFrom: timeOfDay(), pageSize: 1 }).next();
	// One wrong `Date` header, far ahead, must not hide all that is new until then.
	return Math.min(list.client.serviceTime, timeOfDay());
}

async function readUploads(session: Session, state: State): Promise<Found> {
	const { settings, list, followedList } = session;
	const { windowStart, margin, needsBaseline, known } = state;
	const { maxUploadsPerPoll: limit } = settings;
	const expected = needsBaseline ? Infinity : Object.keys(known).length + limit;
	const isDueNow = (upload: SeenUpload) => isDue(state, upload, settings, list.client.serviceTime);
	const query = { windowStart, margin, expected, limit, isDue: isDueNow };
	const first = await readWindow(list, query);
	const endsBaseline = needsBaseline && first.isComplete;
	const reading = endsBaseline ? await readEndAgain(session, state, first, query) : first;
	const now = list.client.serviceTime;
	const followed = await readFollowed(followedList, state, reading, settings, now);
	return { reading, followed, now };
}

/**
 * Reads the window of the next poll as well, if possible: that poll would emit what has slipped from one page to
 * another while the baseline was read.
 */
async function readEndAgain(
	{ settings, list }: Session,
	state: State,
	reading: Reading,
	query: WindowQuery,
): Promise<Reading> {
	const found = { reading, followed: { uploads: [] }, now: list.client.serviceTime };
	const { windowStart, margin } = advance(state, found, settings, settings.maxUploadsPerPoll).next;
	const again = await readWindow(list, { ...query, windowStart, margin }).catch(() => undefined);
	const uploads = [...reading.uploads, ...(again?.uploads ?? [])];
	return { ...reading, uploads: [...new Map(uploads.map((each) => [each.id, each])).values()] };
}

/** What to emit, and the next state; with Include Steps, only up to the first upload without steps. */
async function decide(session: Session, state: State, found: Found) {
	const { settings } = session;
	const all = advance(state, found, settings, settings.maxUploadsPerPoll);
	const workflows = await fetchWorkflows(session, all.emit);
	const ready = all.emit.findIndex(({ upload }) => workflows?.records.has(upload.id) === false);
	return { ...(ready < 0 ? all : advance(state, found, settings, ready)), workflows };
}

/** @throws the failure because of which nothing is emitted, unless the list has brought something new */
function assertProgress(
	{ mode, list }: Session,
	state: State,
	next: State,
	{ reading, followed }: Found,
	stepsFailure: unknown,
): void {
	const failure = stepsFailure ?? followed.failure;
	if (failure !== undefined) throw failure;
	if (reading.failure === undefined || next.watermark !== state.watermark) return;
	// After a restart of n8n, the first poll has less time than the next ones, and must not stop them.
	if (mode.kind === 'first' && state.watermark !== null && list.isTimeUp) return;
	throw reading.failure;
}
