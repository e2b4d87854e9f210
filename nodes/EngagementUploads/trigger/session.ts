/** What a poll works with: its parameters, the service, and what identifies its state. */
import type { IPollFunctions } from 'n8n-workflow';
import { listConnectors } from '../api/endpoints';
import { ruleMatcher } from '../fields/uploadFilters';
import { namesInUploads } from '../search/connectors';
import { CREDENTIAL, parseCredential } from '../transport/credential/credential';
import { ServiceClient } from '../transport/client';
import { readList } from '../transport/lists/lists';
import type { Wanted } from './cursor';
import { UploadList } from './list';
import { PARTS, type Occasion } from './occasion';
import { rulesOf, type TriggerSettings } from './settings';
import { fingerprint, type Connectors, type Identity } from './state';

const MAX_PARALLEL = 16;

export interface Session {
	context: IPollFunctions;
	occasion: Occasion;
	settings: TriggerSettings;
	/** As known when the poll began. */
	identity: Identity;
	client: ServiceClient;
	/** For followed uploads: what goes wrong with them does not hold up the others. */
	followedClient: ServiceClient;
}

export async function openSession(
	context: IPollFunctions,
	occasion: Occasion,
	settings: TriggerSettings,
	identity: Identity,
): Promise<Session> {
	const open = async (part: number) => {
		const deadline = occasion.timeAt(part);
		const options = { parallel: MAX_PARALLEL, timeout: settings.timeout, deadline };
		return await ServiceClient.open(context, options);
	};
	const client = await open(PARTS.deadline);
	const followedClient = await open(PARTS.followed);
	return { context, occasion, settings, identity, client, followedClient };
}

/** What makes the trigger start over when it changes. */
export async function identityOf(
	context: IPollFunctions,
	{ event, start }: TriggerSettings,
): Promise<Identity> {
	return { event: event.value, client: await clientKeyOf(context), start };
}

/** A fingerprint of the client ID; empty until the first token has been fetched, which may reveal it. */
export async function clientKeyOf(context: IPollFunctions): Promise<string> {
	const { clientId } = parseCredential(await context.getCredentials(CREDENTIAL));
	return clientId && fingerprint(clientId.toLowerCase());
}

/** The filters as they apply to uploads: by what uploads call the connectors. */
export async function filterOf(session: Session, saved: Connectors | undefined) {
	const connectors = await connectorsOf(session, saved);
	const rules = rulesOf(session.settings.filters, connectors?.names);
	const matches = ruleMatcher(rules);
	return { connectors, filter: fingerprint(JSON.stringify(rules)), matches };
}

/**
 * The connectors of the filter. What was looked up for the same filter is kept: the service may have
 * dropped one that was there when the user chose it.
 */
async function connectorsOf(
	{ occasion, settings, client }: Session,
	saved: Connectors | undefined,
): Promise<Connectors | undefined> {
	const keys = settings.filters.connectorNames;
	if (keys === undefined) return undefined;
	const entered = fingerprint(JSON.stringify(keys));
	const { rejectsUnknownConnectors: isStrict } = occasion;
	if (!isStrict && saved?.entered === entered) return saved;
	const list = await readList(client, listConnectors());
	const asEntered = isStrict ? undefined : (key: string) => [key];
	return { entered, names: namesInUploads(list, keys, asEntered) };
}

/** The list that a poll reads, the same for followed uploads, and what is wanted of it. */
export function planOf(
	{ settings, client, followedClient, occasion }: Session,
	matches: ReturnType<typeof ruleMatcher>,
	isFirstLook: boolean,
	pageSize = settings.pageSize,
): { list: UploadList; followedList: UploadList; wanted: Wanted } {
	const listOf = (each: ServiceClient) =>
		new UploadList(each, settings.event, pageSize, () => occasion.timeUsed());
	const wanted: Wanted = {
		...settings,
		isFirstLook,
		matches: ({ record }) => matches(record),
		get now() {
			return client.serviceTime;
		},
	};
	return { list: listOf(client), followedList: listOf(followedClient), wanted };
}
