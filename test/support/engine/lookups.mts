import type { INodeCredentialTestResult, INodeListSearchResult } from 'n8n-workflow';

import { buildAdditionalData, prepare, buildWorkflow, type NodeSetup } from './base.mts';
import { CredentialStore, EngineCredentialsHelper } from './credentials.mts';
import { withExpressions } from './lines.mts';
import { core, n8n } from './n8n.mts';
import { fullName, ownTypes } from './types.mts';

/** A drop-down's search, as the editor calls it. */
interface ListSearch extends NodeSetup {
	/** A method's name in the node's `methods.listSearch`. */
	method: string;
	filter?: string;
}

/** What the editor would show in a drop-down. Throws what the method throws. */
export async function searchList(setup: ListSearch): Promise<INodeListSearchResult> {
	const { types, store, node } = prepare(setup);
	const search = types.getByNameAndVersion(node.type).methods?.listSearch?.[setup.method];
	if (search === undefined) {
		throw new n8n.UnexpectedError(`"${node.type}" has no list search "${setup.method}"`);
	}
	const currentNodeParameters = structuredClone(setup.parameters ?? {});
	const additionalData = buildAdditionalData(types, store, { currentNodeParameters });
	const workflow = buildWorkflow(types, { nodes: [node], timezone: setup.timezone });
	const context = new core.LoadOptionsContext(workflow, node, additionalData, '');
	return await withExpressions(
		workflow.expression,
		async () => await search.call(context, setup.filter),
	);
}

/** The "Test" of a credential, through the function that the action node names in `testedBy`. */
export async function testCredential(credential: object): Promise<INodeCredentialTestResult> {
	const types = ownTypes();
	const store = CredentialStore.of(credential);
	const { type } = store;
	const { description, methods } = types.getByNameAndVersion(fullName('engagementUploads'));
	const testedBy = description.credentials?.find(({ name }) => name === type)?.testedBy;
	const test = methods?.credentialTest?.[String(testedBy)];
	if (test === undefined)
		throw new n8n.UnexpectedError(`No node tests credentials of type "${type}"`);
	const data = new EngineCredentialsHelper(types, store).withDefaults(type, store.stored());
	const context = new core.CredentialTestContext(buildAdditionalData(types, store));
	return await test.call(context, { id: type, name: type, type, data });
}
