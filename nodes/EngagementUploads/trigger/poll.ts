/**
 * One poll: reads the upload list, decides what is due, and saves the state at the very end. Invariant:
 * a poll that can emit something does; otherwise it moves on, or says why not.
 */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { nodeError } from '../transport/errors';
import { advance, isDue, type Found } from './cursor';
import { readFollowed } from './followed';
import { test } from './manualTest';
import { mustWait, reportOutage } from './outage';
import { noteSuccess, PARTS, PollLock, pollMode, type PollMode } from './pollMode';
import { assertConnectorsExist, openSession, readIdentity, startState, toItem } from './session';
import type { Session } from './session';
import { triggerSettings, type TriggerSettings } from './settings';
import { inZone, isSameIdentity, StateHome, type State } from './state';
import { fetchWorkflows, type Workflows } from './steps';
import { readWindow } from './window';

export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const mode = pollMode(context);
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
		if (home.isOutdated || mustWait(context, mode, home)) return [];
		// Nothing is awaited before: after a while, n8n cannot evaluate expressions any more.
		settings = triggerSettings(context);
		const items = await readAndEmit(context, mode, settings, home, lock);
		if (lock.isHeld) home.outage = undefined;
		return items;
	} catch (error) {
		return lock.isHeld ? reportOutage(context, mode, home, settings, error) : [];
	} finally {
		lock.release();
	}
}

/** The story of a poll; nothing is saved before the end. */
async function readAndEmit(
	context: IPollFunctions,
	mode: PollMode,
	settings: TriggerSettings,
	home: StateHome,
	lock: PollLock,
): Promise<INodeExecutionData[]> {
	const identity = await readIdentity(context, settings);
	const saved = home.load(identity);
	// Start From Now emits nothing at first, and so needs no time for steps.
	const listPart = saved === undefined && settings.startsNow ? PARTS.steps : PARTS.list;
	const session = await openSession(context, mode, settings, listPart);
	if (mode.isInteractive) await assertConnectorsExist(session);
	const { zone } = session.list.client;
	const state = inZone(saved ?? (await startState(session, identity)), zone);

	const found = await find(session, state);
	// In durable polling, a first poll only shows that the service can be read.
	if (mode.kind === 'first' && state.isDurable) {
		noteSuccess(context);
		return [];
	}
	const { emit, next, workflows } = await decide(session, state, found);
	const failure = workflows?.failure ?? found.followedFailure;
	if (emit.length === 0) assertProgress(session, state, next, found.reading.failure, failure);

	// A token fetched meanwhile may have shown that this state belongs to another client.
	const revealed = await readIdentity(context, settings);
	if (!isSameIdentity(state, revealed) || !lock.isHeld) return [];
	// Nothing is awaited from here on.
	const items = emit.map((emission) => toItem(session, emission, workflows));
	const hasLocalTimes = found.reading.uploads.some(({ isLocal }) => isLocal);
	home.save(state, { ...next, ...revealed, ...(hasLocalTimes && { zone }) }, items.length > 0);
	return items;
}

async function find(
	{ settings, list, followedList }: Session,
	state: State,
): Promise<Found & { followedFailure?: unknown }> {
	const { windowStart, margin, needsBaseline, known } = state;
	const { maxUploadsPerPoll: limit } = settings;
	const expected = needsBaseline ? Infinity : Object.keys(known).length + limit;
	const reading = await readWindow(list, {
		...{ windowStart, margin, expected, limit },
		isDue: (upload) => isDue(state, upload, settings, list.client.serviceTime),
	});
	const now = list.client.serviceTime;
	const { uploads, failure } = await readFollowed(followedList, state, reading, settings, now);
	return { reading, followed: uploads, now, followedFailure: failure };
}

/** What to emit; with Include Steps, only the oldest of it, up to the first whose steps are missing. */
async function decide({ settings, stepsClient }: Session, state: State, found: Found) {
	const all = advance(state, found, settings, settings.maxUploadsPerPoll);
	if (!settings.includeWorkflow) return { ...all, workflows: undefined };
	const due = all.emit.map(({ upload }) => upload);
	const workflows: Workflows = await fetchWorkflows(stepsClient, due);
	const ready = due.findIndex(({ id }) => !workflows.records.has(id));
	return { ...(ready < 0 ? all : advance(state, found, settings, ready)), workflows };
}

/** @throws why nothing was emitted, unless nothing is due or the poll has moved on */
function assertProgress(
	{ mode, list }: Session,
	state: State,
	next: State,
	readingFailure: unknown,
	failure: unknown,
): void {
	if (failure !== undefined) throw failure;
	if (readingFailure === undefined || next.watermark !== state.watermark) return;
	// After a restart of n8n, the first poll has less time than the next ones.
	if (mode.kind === 'first' && state.watermark !== null && list.isTimeUp) return;
	throw readingFailure;
}
