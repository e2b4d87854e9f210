/** One poll: reads the upload list, decides what is due, and saves the state at the very end. */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { ServiceClient } from '../transport/client';
import { nodeError } from '../transport/errors';
import { timeOfDay } from '../values/clock';
import { advance } from './diff';
import { readUploads } from './list';
import { testTrigger } from './manualTest';
import { failureText, reportOutage } from './outage';
import { noteStarted, PollLock, readPollMode, type PollMode } from './pollMode';
import { assertConnectorsExist, readTriggerSettings, type TriggerSettings } from './settings';
import { createState, OVERLAP } from './state';
import { fetchSteps, toItem } from './steps';
import { StateStore } from './store';

const PARALLEL = 16;

export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const mode = readPollMode(context);
	try {
		const items =
			mode.kind === 'test' ? await test(context, mode) : await pollWithLock(context, mode);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const failure = nodeError(context.getNode(), error);
		// Where the user waits for the test, n8n shows the description as well.
		if (mode.kind === 'test') throw failure;
		throw Object.assign(failure, { message: failureText(error, mode) });
	}
}

async function test(context: IPollFunctions, mode: PollMode): Promise<INodeExecutionData[]> {
	const settings = readTriggerSettings(context);
	return await testTrigger(await open(context, mode), settings);
}

async function open(context: IPollFunctions, { deadline }: PollMode) {
	return await ServiceClient.open(context, { parallel: PARALLEL, deadline });
}

async function pollWithLock(
	context: IPollFunctions,
	mode: PollMode,
): Promise<INodeExecutionData[]> {
	const lock = PollLock.tryAcquire(context, mode);
	if (lock === undefined) return [];
	let store: StateStore | undefined;
	try {
		// Before anything is awaited, since n8n cannot evaluate expressions after a while.
		const settings = readTriggerSettings(context);
		store = new StateStore(context, mode, settings);
		const items = await readAndEmit(context, mode, settings, store, lock);
		if (lock.isHeld) noteStarted(context);
		return items;
	} catch (error) {
		return lock.isHeld ? reportOutage(context, mode, store, error) : [];
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
	if (store.isOutdated) return [];
	const saved = store.load();
	const client = await open(context, mode);
	if (mode.isInteractive) await assertConnectorsExist(settings, client);
	const former = saved ?? createState(settings, timeOfDay());
	const { from, newest } = former;
	// The first request reaches further back, since the service's clock may be behind; with a start date, which the service
	// may read in another zone, all do until the window has moved past it.
	const farFromStart = settings.startsNow
		? -Infinity
		: (from ?? -Infinity) + settings.lookback + OVERLAP;
	const isNearStart = newest === null || newest < farFromStart;
	const seen = await readUploads(client, settings, (from ?? 0) - (isNearStart ? OVERLAP : 0));
	const { clientId, serviceTime: now } = client;
	// Another client has other uploads.
	const isOther = former.client !== '' && former.client !== clientId;
	// By now, the service has told its time. The earlier clock counts: one far ahead would hide every upload dated before it.
	const isNew = saved === undefined || isOther;
	const state = isNew ? createState(settings, Math.min(now, timeOfDay())) : former;
	const { emit, next } = advance(state, seen, settings, now);
	const steps = await fetchSteps(client, settings, emit);
	if (!lock.isHeld) return [];
	// Nothing is awaited from here on.
	const items = emit.map((emission) => toItem(client, settings, emission, steps));
	delete store.own.outage;
	store.save({ ...next, client: clientId }, items.length > 0);
	return items;
}
