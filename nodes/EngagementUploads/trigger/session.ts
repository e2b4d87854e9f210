/** What a poll works with: its parameters, and the service as it reads it. */
import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { toOutput } from '../service/output';
import { ServiceClient } from '../transport/client';
import { CREDENTIAL, parseCredential } from '../transport/credential';
import type { Emission } from './cursor';
import { UploadList } from './list';
import type { PollMode } from './pollMode';
import { PARTS } from './pollMode';
import type { TriggerSettings } from './settings';
import { fingerprint, type Identity } from './state';
import type { Workflows } from './steps';

const MAX_PARALLEL = 16;

export interface Session {
	context: IPollFunctions;
	mode: PollMode;
	settings: TriggerSettings;
	list: UploadList;
	/** For followed uploads: what goes wrong with one kind of request does not hold up the others. */
	followedList: UploadList;
	stepsClient: ServiceClient;
}

/** @param listPart the part of the poll's time after which it stops reading the list */
export async function openSession(
	context: IPollFunctions,
	mode: PollMode,
	settings: TriggerSettings,
	listPart: number,
	pageSize = settings.pageSize,
): Promise<Session> {
	const { event, timeout } = settings;
	const data = await context.getCredentials(CREDENTIAL);
	const client = (deadline: number) =>
		new ServiceClient(context, data, { parallel: MAX_PARALLEL, timeout, deadline });
	const list = (deadline: number) => new UploadList(client(deadline), event, pageSize, deadline);
	return {
		context,
		mode,
		settings,
		list: list(mode.timeAt(listPart)),
		followedList: list(mode.timeAt(PARTS.followed)),
		stepsClient: client(mode.timeAt(PARTS.steps)),
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

/** The item of an upload, with its steps if they are wanted. */
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
