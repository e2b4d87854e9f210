/** What a poll works with: the service, opened for each kind of work, and the state at the very start. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { connectorNames } from '../fields/uploadFilters';
import { listConnectors } from '../service/endpoints';
import { toOutput } from '../service/output';
import { ServiceClient } from '../transport/client';
import { CREDENTIAL, parseCredential } from '../transport/credential';
import { readList } from '../transport/pages';
import { timeOfDay } from '../values/clock';
import { InputError, quote } from '../values/inputError';
import { fingerprint, foldCase } from '../values/text';
import { MAX_AHEAD, type Emission } from './cursor';
import { UploadList } from './uploadList';
import type { PollMode } from './pollMode';
import type { TriggerSettings } from './settings';
import { emptyState, type Identity, type State } from './state';
import type { Workflows } from './steps';

const MAX_PARALLEL = 16;
const HOUR = 3_600_000;
/** Start From Now records this much more than the look-back, since zones differ and clocks change. */
const FIRST_MARGIN = MAX_AHEAD + 2 * HOUR;

export interface Session {
	mode: PollMode;
	settings: TriggerSettings;
	list: UploadList;
	/** For followed uploads, so that failures of one kind of request do not hold up the others. */
	followedList: UploadList;
	stepsClient: ServiceClient;
}

export async function openSession(
	context: IPollFunctions,
	mode: PollMode,
	settings: TriggerSettings,
): Promise<Session> {
	const { event, pageSize, timeout } = settings;
	const data = await context.getCredentials(CREDENTIAL);
	const client = (deadline: number) =>
		new ServiceClient(context, data, { parallel: MAX_PARALLEL, timeout, deadline });
	const list = (deadline: number) => new UploadList(client(deadline), event, pageSize, deadline);
	return {
		mode,
		settings,
		list: list(mode.deadline('list')),
		followedList: list(mode.deadline('followed')),
		stepsClient: client(mode.deadline('steps')),
	};
}

/** What makes the trigger start over when it changes. */
export async function readIdentity(
	context: IPollFunctions,
	{ event, start }: TriggerSettings,
): Promise<Identity> {
	const { clientId } = parseCredential(await context.getCredentials(CREDENTIAL));
	// Empty until the first token has been fetched, which may reveal it.
	const client = clientId && fingerprint(clientId.toLowerCase());
	return { event: event.value, client, start };
}

/** The first state of a trigger. */
export async function createState({ settings, list }: Session, identity: Identity): Promise<State> {
	if (!settings.startsNow) {
		const startDate = settings.readStartDate();
		const start = { windowStart: startDate ?? null, startDate, needsBaseline: false };
		return emptyState(identity, start);
	}
	// The first response says what the service's time is.
	await list.pages({ queryFrom: timeOfDay(), pageSize: 1 }).next();
	const { event, followFor, lookback } = settings;
	const length = Math.max(event.isFollowing ? followFor : 0, lookback + FIRST_MARGIN);
	// One wrong `Date` header, far ahead, must not hide all that is new until then.
	const windowStart = Math.min(list.client.serviceTime, timeOfDay()) - length;
	return emptyState(identity, { windowStart, needsBaseline: true });
}

/** @throws InputError if the filter contains a name that no connector has */
export async function assertConnectorsExist({ settings, list }: Session): Promise<void> {
	const names = settings.filters.connectorNames;
	if (names === undefined) return;
	const connectors = await readList(list.client, listConnectors());
	const existing = new Set(connectors.map(({ name }) => foldCase(name)));
	const unknown = names.find((name) => !existing.has(foldCase(name)));
	if (unknown === undefined) return;
	throw new InputError(
		`${connectorNames.property.displayName} ${quote(unknown)} is not the name of a connector`,
		'Choose the connectors from the list, or remove the filter',
	);
}

/** The item for an upload; `workflows` is undefined without Include Steps. */
export function toItem(
	{ settings, list }: Session,
	{ upload, ...added }: Emission,
	workflows: Workflows | undefined,
): INodeExecutionData {
	const { zone } = list.client;
	const json: IDataObject = { ...toOutput(upload.record, 'upload', settings, { zone }), ...added };
	if (workflows !== undefined) json.workflow = workflows.records.get(upload.id) ?? null;
	return { json };
}
