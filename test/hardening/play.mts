import { inspect } from 'node:util';
import { stringify } from 'flatted';
import type { IDataObject } from 'n8n-workflow';

import { makeCredential, makeEndpointCredential } from '../support/world/credentials.mts';
import { errorText, makeSetup, toJson } from '../support/engine/runs.mts';
import { CredentialStore } from '../support/engine/credentials.mts';
import { runNode, type NodeResult } from '../support/engine/nodeRun.mts';
import type { Poller } from '../support/engine/poller.mts';
import type { SimulatedService } from '../support/service/http.mts';
import type { RecordedRequest } from '../support/service/log.mts';
import { makePoller } from '../support/engine/polls.mts';
import type { FaultRow } from './faults.mts';
import {
	matchAt,
	methodAt,
	parametersFor,
	makeWorld,
	type Place,
	type Subject,
} from './subjects.mts';

/** The result of a run. */
export interface Seen {
	items: IDataObject[];
	/** The error's message and advice. */
	message?: string;
	/** Requests sent in place of the failed one, and all others, as lines. */
	spot: number;
	others: string[];
	/** Everything that a user can see. */
	shown: string;
	secrets: string[];
	/** For a poll: whether it changed the state, and what the next one emitted without a fault. */
	trigger?: { stateChanged: boolean; next: IDataObject[] };
}

function credentialFor(service: SimulatedService, row?: FaultRow): IDataObject {
	if (row?.credential !== undefined) return makeCredential(service, row.credential(service));
	const usesEndpoint = row?.class === 'tokenExpired' || row?.class === 'tokenRefused';
	return usesEndpoint ? makeEndpointCredential(service) : makeCredential(service);
}

/** Runs a subject against its own service, with or without a fault in one of its requests. */
export async function play(subject: Subject, place: Place, row?: FaultRow): Promise<Seen> {
	const service = await makeWorld(subject);
	try {
		const { match, skip } = matchAt(subject, place);
		if (row?.fault !== undefined) service.fail(match, row.fault, { skip, times: row.times });
		const store = new CredentialStore(credentialFor(service, row));
		const parameters = withTimeout(parametersFor(subject, service), row?.timeout);
		const seen =
			subject.kind === 'trigger'
				? await poll(service, parameters, store)
				: await execute(service, parameters, store);
		const requests = seen.requests.filter(({ path }) => path !== service.settings.tokenPath);
		const spots = listSpots(requests, subject, place);
		return {
			...seen,
			spot: spots.length,
			others: requests.filter((request) => !spots.includes(request)).map(toLine),
			secrets: collectSecrets(service, store),
		};
	} finally {
		await service.close();
	}
}

function withTimeout(parameters: IDataObject, timeout: number | undefined): IDataObject {
	if (timeout === undefined) return parameters;
	return { ...parameters, options: { ...(parameters.options as IDataObject), timeout } };
}

type Ran = Pick<Seen, 'items' | 'message' | 'shown' | 'trigger'> & { requests: RecordedRequest[] };

async function execute(
	service: SimulatedService,
	parameters: IDataObject,
	credential: CredentialStore,
): Promise<Ran> {
	const setup = makeSetup(service, parameters, [{}], { credential });
	const { items, error, run } = await runNode(setup);
	return {
		items: toJson(items),
		message: error && errorText({ error }),
		shown: `${stringify(run)}\n${error?.stack ?? ''}`,
		requests: [...service.requests],
	};
}

async function poll(
	service: SimulatedService,
	parameters: IDataObject,
	store: CredentialStore,
): Promise<Ran> {
	const poller = makePoller(service, parameters, { credential: store });
	const before = readState(poller);
	const [polled] = await Promise.allSettled([poller.poll()]);
	const requests = [...service.requests];
	const shown = `${stringify([polled, poller.state])}\n${inspect(polled)}`;
	const stateChanged = readState(poller) !== before;
	service.clearFaults();
	store.save(makeCredential(service));
	const trigger = { stateChanged, next: toJson((await poller.poll()) ?? []) };
	if (polled.status === 'fulfilled')
		return { items: toJson(polled.value ?? []), shown, requests, trigger };
	const error = polled.reason as NodeResult['error'];
	return { items: [], message: errorText({ error }), shown, requests, trigger };
}

const readState = (poller: Poller) => JSON.stringify([poller.state, poller.globalState]);

/** The requests in place of the failed one. */
function listSpots(requests: RecordedRequest[], subject: Subject, place: Place): RecordedRequest[] {
	const method = methodAt(subject, place);
	const page = { middle: '1', last: '2' }[String(place)] ?? '0';
	const alike = requests.filter(
		(each) =>
			each.method === method && subject.path.test(each.path) && (each.query.page ?? '0') === page,
	);
	return alike.slice(matchAt(subject, place).skip);
}

const toLine = ({ method, url }: RecordedRequest) =>
	`${method} ${url}`.replace(/\d{4}-\d\d-\d\dT[\d:]+/g, '<time>');

function collectSecrets(service: SimulatedService, store: CredentialStore): string[] {
	const { sessionToken = '' } = store.stored();
	return [
		service.subscriptionKey,
		service.accessToken,
		...String(sessionToken).split(' '),
		...Object.values(service.tokenRequestFields),
	];
}
