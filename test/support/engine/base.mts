import type {
	IDataObject,
	INode,
	INodeParameters,
	IWorkflowExecuteAdditionalData,
	OnError,
	Workflow,
} from 'n8n-workflow';

import { CredentialStore, EngineCredentialsHelper } from './credentials.mts';
import { core, n8n } from './n8n.mts';
import { fullName, ownTypes, type EngineTypes } from './types.mts';

/** The setup for every way of running a node. */
export interface NodeSetup {
	/** Short or full type name; `engagementUploads` by default. */
	node?: string;
	/** This package's own types by default. */
	types?: EngineTypes;
	/** Node parameters as the editor would save them; missing ones get their defaults. */
	parameters?: INodeParameters;
	/** The data of its credential; or a store, if several runs share (and renew) it. */
	credential: object | CredentialStore;
	/** The workflow's IANA time zone; UTC by default. */
	timezone?: string;
	workflowId?: string;
	nodeName?: string;
	onError?: OnError;
	/** Turns on Retry On Fail with this many attempts, without delays between them. */
	maxTries?: number;
}

/** What every way of running a node begins with: the node with its credential. */
export function prepare(setup: NodeSetup) {
	const { types = ownTypes(), onError, maxTries } = setup;
	const store = CredentialStore.of(setup.credential);
	const type = fullName(setup.node ?? 'engagementUploads');
	const typeVersion = types.newestVersion(type);
	const node: INode = {
		id: 'a1b2c3d4-0000-4000-8000-000000000001',
		name: setup.nodeName ?? 'Node',
		type,
		typeVersion,
		position: [200, 0],
		parameters: structuredClone(setup.parameters ?? {}),
		credentials: { [store.type]: { id: store.type, name: store.type } },
		...(onError && { onError }),
		...(maxTries !== undefined && { retryOnFail: true, maxTries, waitBetweenTries: 1 }),
	};
	return { types, store, node };
}

/** The ID of every execution. */
export const EXECUTION_ID = '1';

/** The parts of a workflow that a test may choose. */
interface WorkflowParts {
	nodes: INode[];
	connections?: Workflow['connectionsBySourceNode'];
	timezone?: string;
	staticData?: IDataObject;
	id?: string;
}

/** A workflow in the time zone of the setup. */
export function buildWorkflow(types: EngineTypes, parts: WorkflowParts): Workflow {
	return new n8n.Workflow({
		id: parts.id ?? 'engine-workflow',
		name: 'Engine workflow',
		nodes: parts.nodes,
		connections: parts.connections ?? {},
		active: false,
		nodeTypes: types,
		staticData: parts.staticData,
		settings: { executionOrder: 'v1', timezone: parts.timezone ?? 'UTC' },
	});
}

/** What n8n's server adds to an execution, as far as the nodes and n8n-core use it. */
export function buildAdditionalData(
	types: EngineTypes,
	store: CredentialStore,
	extra: Partial<IWorkflowExecuteAdditionalData> = {},
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper: new EngineCredentialsHelper(types, store),
		externalSecretsProxy: new core.ExternalSecretsProxy(),
		currentNodeExecutionIndex: 0,
		executionId: EXECUTION_ID,
		variables: {},
		// n8n builds the URLs that would resume an execution, though nothing uses them.
		webhookWaitingBaseUrl: 'http://127.0.0.1:5678/webhook-waiting',
		formWaitingBaseUrl: 'http://127.0.0.1:5678/form-waiting',
		...extra,
	} as IWorkflowExecuteAdditionalData;
}
