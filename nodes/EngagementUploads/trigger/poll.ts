/**
 * One poll: reads the parameters and the upload list, decides what is due, and finally stores the
 * state. Invariant: a poll that can emit something does; otherwise it moves on, or says why not.
 */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { toOutput } from '../output/outputMapper';
import { nodeError } from '../transport/failures/errors';
import { timeOfDay } from '../values/clock';
import { InputError } from '../values/inputError';
import { advance, type Emission, type Step, type Wanted } from './cursor';
import { fetchFollowed, type Followed } from './followed';
import type { Reading, UploadList } from './list';
import { MAX_PAGE_SIZE, showLatest } from './manualTest';
import { occasionOf, PARTS, type Occasion } from './occasion';
import { isWaiting, reportOutage } from './outage';
import { readUploads } from './scan';
import { clientKeyOf, filterOf, identityOf, openSession, planOf, type Session } from './session';
import { triggerSettings, type TriggerSettings } from './settings';
import { initialState, inZone, isSameIdentity, withFilter, type CursorState } from './state';
import { fetchSteps, type Steps } from './steps';
import { CursorStore } from './store';
import { Turn } from './turn';
import { MAX_ZONE_DIFFERENCE } from './upload';

/** Dates may be off by as much as zones differ, and by an hour of summer time. */
const FIRST_LOOK_MARGIN = MAX_ZONE_DIFFERENCE + 3_600_000;

export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const occasion = occasionOf(context);
	try {
		const items =
			occasion.kind === 'test'
				? await test(context, occasion)
				: await pollInTurn(context, occasion);
		return items.length > 0 ? [items] : null;
	} catch (error) {
		throw nodeError(context.getNode(), error);
	}
}

async function pollInTurn(
	context: IPollFunctions,
	occasion: Occasion,
): Promise<INodeExecutionData[]> {
	const turn = Turn.take(context, occasion);
	if (turn === undefined) return [];
	const store = new CursorStore(context, occasion, turn);
	let settings: TriggerSettings | undefined;
	try {
		if (isWaiting(context, occasion, store)) return [];
		// Nothing is awaited before: after a while, n8n cannot evaluate expressions any more.
		const own = triggerSettings(context);
		settings = turn.settings(own);
		const identity = await identityOf(context, own);
		if (turn.isReplaced(identity)) return [];
		return await run(await openSession(context, occasion, settings, identity), turn, store);
	} catch (error) {
		return turn.isSuperseded ? [] : reportOutage(context, occasion, store, settings, error);
	} finally {
		turn.finish();
	}
}

/** The story of a poll; nothing is stored before the end. */
async function run(
	session: Session,
	turn: Turn,
	store: CursorStore,
): Promise<INodeExecutionData[]> {
	const place = await resume(session, store);
	const found = await read(place);
	const identity = { ...session.identity, client: await clientKeyOf(session.context) };
	// A token fetched meanwhile has shown that this state belongs to another client.
	if (!isSameIdentity(place.state, identity) || turn.isReplaced(identity)) return [];
	const result = await decide(session, place, found);
	assertProgress(session, place, found, result);
	// Nothing is awaited from here on.
	const items = result.emit.map((emission) => itemOf(session, emission, result.steps));
	if (!store.save({ ...result.next, ...identity }, items.length > 0)) return [];
	store.outage = undefined;
	return items;
}

/** Where a poll goes on, and what it looks for. */
interface Place {
	state: CursorState;
	list: UploadList;
	followedList: UploadList;
	wanted: Wanted;
}

/** What a poll has found. */
interface Found {
	reading: Reading;
	followed: Followed;
}

/** Goes on from the last state, as it is under the present filters, zone and start. */
async function resume(session: Session, store: CursorStore): Promise<Place> {
	const { identity, settings, client } = session;
	const saved = store.load(identity);
	const { connectors, filter, matches } = await filterOf(session, saved?.connectors);
	const before = withFilter(saved ?? initialState(identity, filter), filter);
	const state = {
		...inZone(before, client.zone),
		connectors,
		// Start Date is evaluated when it is first seen.
		startAt: before.startAt ?? settings.readStartDate(),
	};
	const isFirstLook = settings.startsNow && (saved === undefined || saved.isLooking === true);
	return { state, ...planOf(session, matches, isFirstLook) };
}

async function read({ state, list, followedList, wanted }: Place): Promise<Found> {
	const reading = await readUploads(list, state, wanted);
	// What ended the reading would fail these requests too.
	if (reading.failure !== undefined) return { reading, followed: { uploads: [] } };
	return { reading, followed: await fetchFollowed(state, followedList, reading.uploads, wanted) };
}

/** What is due; with Include Steps, only the oldest of it, up to the first whose steps are missing. */
async function decide(
	session: Session,
	{ state, wanted }: Place,
	{ reading, followed }: Found,
): Promise<Step & { steps?: Steps }> {
	const { client, occasion, settings } = session;
	// The service's time passes while steps are fetched.
	const { now } = wanted;
	const hasLocalTimes = reading.uploads.some(({ isLocal }) => isLocal);
	const before: CursorState = { ...state, ...(hasLocalTimes && { zone: client.zone }) };
	// A first look that was empty or short by mistake must not make old uploads new.
	if (wanted.isFirstLook && !wanted.event.isFollowing && client.hasServiceTime) {
		// Nor must one wrong Date header, far ahead, hide all that is new until then.
		const firstLookAt = Math.min(now, timeOfDay());
		before.startAt = firstLookAt - wanted.lookback - FIRST_LOOK_MARGIN;
	}
	const step = (maxUploadsPerPoll: number) =>
		advance(before, reading, followed.uploads, { ...wanted, now, maxUploadsPerPoll });
	const whole = step(settings.maxUploadsPerPoll);
	if (!settings.includeWorkflow) return whole;
	const due = whole.emit.map(({ upload }) => upload);
	const steps = await fetchSteps(client, due, () => occasion.timeUsed() >= PARTS.steps);
	const ready = due.findIndex(({ id }) => !steps.found.has(id));
	return { ...(ready < 0 ? whole : step(ready)), steps };
}

/** @throws why nothing was emitted, unless the poll has got on or there is nothing to emit */
function assertProgress(
	{ occasion, settings }: Session,
	{ state, wanted }: Place,
	{ reading, followed }: Found,
	{ emit, next, steps }: Step & { steps?: Steps },
): void {
	if (emit.length > 0) return;
	const hasMoved = next.watermark !== state.watermark;
	// A backlog is got through, although the followed uploads cannot be asked for.
	if (hasMoved && !reading.isWhole) return;
	const failure = steps?.failure ?? followed.failure;
	if (failure !== undefined) throw failure;
	if (hasMoved) return;
	if (reading.failure !== undefined) throw reading.failure;
	// In a backlog, the next poll would not get on either; otherwise, it begins with the oldest, and says
	// why if it does not get on.
	if (reading.isWhole || (!wanted.isFirstLook && state.isBacklog !== true)) return;
	// After a restart of n8n, the first poll has less time than the next ones.
	if (occasion.kind === 'first' && state.watermark !== null) return;
	const advice = settings.event.isFollowing
		? 'Increase Page Size, or decrease Look-Back or Follow For'
		: 'Increase Page Size, or decrease Look-Back';
	throw new InputError('The list of uploads could not be read in the time that n8n allows', advice);
}

function itemOf(
	{ client: { zone }, settings }: Session,
	{ upload, ...added }: Emission,
	steps: Steps | undefined,
): INodeExecutionData {
	const json = toOutput(upload.record, 'upload', settings, { zone });
	const workflow = steps && { workflow: steps.found.get(upload.id) ?? null };
	return { json: { ...json, ...added, ...workflow } };
}

/** A test in the editor: the latest matching uploads, whatever the state, which stays as it is. */
async function test(context: IPollFunctions, occasion: Occasion): Promise<INodeExecutionData[]> {
	const settings = triggerSettings(context);
	// Only to tell the user whether it is valid.
	settings.readStartDate();
	const identity = await identityOf(context, settings);
	const session = await openSession(context, occasion, settings, identity);
	const { matches } = await filterOf(session, undefined);
	const pageSize = Math.min(settings.pageSize, MAX_PAGE_SIZE);
	const { list, wanted } = planOf(session, matches, false, pageSize);
	const shown = await showLatest(list, wanted);
	const uploads = shown.map(({ upload }) => upload);
	const steps = settings.includeWorkflow
		? await fetchSteps(session.client, uploads, () => false)
		: undefined;
	return shown.map((emission) => itemOf(session, emission, steps));
}
