/** What a poll works with: its settings, and the service, opened for each kind of work. */
import type { IPollFunctions } from 'n8n-workflow';
import { ServiceClient } from '../transport/client';
import { CREDENTIAL } from '../transport/credential';
import type { PollMode } from './pollMode';
import type { TriggerSettings } from './settings';
import { UploadList } from './uploadList';

const MAX_PARALLEL = 16;

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
