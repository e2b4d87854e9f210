import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	INode,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodeType,
	Workflow,
} from 'n8n-workflow';

import type { NodeSetup } from './base.mts';
import { additionalDataOf, nodeOf, settingsOf, workflowOf } from './base.mts';
import { CredentialStore, EngineCredentialsHelper } from './credentials.mts';
import { core, n8n } from './n8n.mts';
import { EngineTypes, NO_OP, ownTypes } from './types.mts';

/** A drop-down's search, as the editor asks for it. */
export interface ListSearch extends NodeSetup {
	/** `engagementUploads` unless given; short or full type name. */
	node?: string;
	/** A method's name in the node's `methods.listSearch`. */
	method: string;
	filter?: string;
	paginationToken?: string;
}

/** What the editor would show in a drop-down. Throws what the method throws. */
export async function searchList(setup: ListSearch): Promise<INodeListSearchResult> {
	const types = setup.types ?? (await ownTypes());
	const store = CredentialStore.of(setup.credentials);
	const node = nodeOf(types, setup.node ?? 'engagementUploads', { ...setup, credentials: store });
	const search = types.getByNameAndVersion(node.type).methods?.listSearch?.[setup.method];
	if (search === undefined) {
		throw new n8n.UnexpectedError(`"${node.type}" has no list search "${setup.method}"`);
	}
	const currentNodeParameters = structuredClone(setup.parameters ?? {});
	const additionalData = additionalDataOf(types, store, { currentNodeParameters });
	const workflow = workflowOf(types, { nodes: [node], settings: settingsOf(setup.timezone) });
	const context = new core.LoadOptionsContext(workflow, node, additionalData, '');
	return await workflow.expression.withIsolate(
		async () => await search.call(context, setup.filter, setup.paginationToken),
	);
}

/** The "Test" of a credential through its test request. A store keeps what was fetched on the way. */
export async function testCredential(
	type: string,
	credential: object | CredentialStore,
	givenTypes?: EngineTypes,
): Promise<INodeCredentialTestResult> {
	const types = givenTypes ?? (await ownTypes());
	const store =
		credential instanceof CredentialStore
			? credential
			: new CredentialStore({ [type]: credential });
	const { test } = types.credential(type);
	if (test === undefined) {
		return { status: 'Error', message: 'No testing function found for this credential.' };
	}
	const data = new EngineCredentialsHelper(types, store).withDefaults(type, store.stored(type));
	try {
		const [body] = await sendTestRequest(types, store, type, test, data);
		return failedBodyRule(test, body) ?? { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		return { status: 'Error', message: failureMessage(test, error) };
	}
}

async function sendTestRequest(
	types: EngineTypes,
	store: CredentialStore,
	type: string,
	test: ICredentialTestRequest,
	data: ICredentialDataDecryptedObject,
): Promise<unknown[]> {
	const nodeType = testNodeType(types, type, test);
	const testTypes = new EngineTypes([[NO_OP, nodeType]], new Map([[type, types.credential(type)]]));
	const node: INode = {
		...nodeOf(testTypes, NO_OP, { nodeName: 'Temp-Node', credentials: store }),
		id: 'temp',
	};
	const workflow = workflowOf(testTypes, { nodes: [node] });
	const routing = new core.RoutingNode(testContext(testTypes, store, workflow, node), nodeType, {
		id: type,
		name: type,
		type,
		data,
	});
	const output = await workflow.expression.withIsolate(async () => await routing.runNode());
	return (output?.[0] ?? []).map(({ json }) => json);
}

/** n8n's own makeshift: a node whose one parameter carries the credential's test request. */
function testNodeType(types: EngineTypes, type: string, test: ICredentialTestRequest): INodeType {
	return {
		description: {
			...types.getByNameAndVersion(NO_OP).description,
			credentials: [{ name: type, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					routing: { request: test.request },
					default: '',
				},
			],
		},
	};
}

function testContext(types: EngineTypes, store: CredentialStore, workflow: Workflow, node: INode) {
	return new core.ExecuteContext(
		workflow,
		node,
		additionalDataOf(types, store),
		'internal',
		n8n.createRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
}

function failedBodyRule(
	{ rules = [] }: ICredentialTestRequest,
	body: unknown,
): INodeCredentialTestResult | undefined {
	for (const { type, properties } of rules) {
		if (type !== 'responseSuccessBody' || typeof body !== 'object' || body === null) continue;
		if (Reflect.get(body, properties.key) === properties.value) {
			return { status: 'Error', message: properties.message };
		}
	}
	return undefined;
}

interface RequestFailure {
	message: string;
	cause?: { code?: string; response?: { status: number; statusText?: string } };
}

function failureMessage({ rules = [] }: ICredentialTestRequest, error: unknown): string {
	const { cause, message } = error as RequestFailure;
	if (cause?.response !== undefined) {
		const { status, statusText } = cause.response;
		for (const rule of rules) {
			if (rule.type === 'responseCode' && rule.properties.value === status) {
				return rule.properties.message;
			}
		}
		if (status < 200 || status > 299) return statusText || `Received HTTP status code: ${status}`;
	}
	return cause?.code ?? message;
}
