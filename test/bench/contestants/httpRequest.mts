import { createRequire } from 'node:module';
import type {
	ICredentialType,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IVersionedNodeType,
} from 'n8n-workflow';

import { runNode } from '../../support/engine/run.mts';
import { typesOf } from '../../support/engine/types.mts';
import type { Prepare } from '../contestant.mts';
import { INSTALLED } from '../install.mts';
import type { Target } from '../service.mts';
import { CONNECTOR, itemsOf, MAX_PARALLEL, PAGE_SIZE, type Workload } from '../workloads.mts';

const NODE = 'n8n-nodes-base.httpRequest';

/** n8n's HTTP Request node, set up as a user would: header credential, pagination for lists. */
export const prepareHttpRequest: Prepare = async (target, work) => prepare(target, work, {});

/**
 * The same with batches as large as this node's parallelism, sent at intervals of one response
 * time.
 */
export const prepareBatchedHttpRequest: Prepare = async (target, work) => {
	const batching = { batch: { batchSize: MAX_PARALLEL, batchInterval: work.latencyMs } };
	return prepare(target, work, { options: { batching } });
};

function prepare(target: Target, work: Workload, more: INodeParameters) {
	const types = loadTypes();
	const credentials = {
		httpHeaderAuth: { name: 'Authorization', value: `Bearer ${target.accessToken}` },
	};
	const parameters = { ...commonParameters(target), ...parametersOf(target, work), ...more };
	return async () => {
		const { items, error } = await runNode({
			node: NODE,
			types,
			credentials,
			parameters,
			items: itemsOf(work),
			// Failures under a limit are counted and do not end the run.
			onError: 'continueRegularOutput',
		});
		if (error !== undefined) throw error;
		return { records: items.reduce((sum, item) => sum + recordsIn(item), 0) };
	};
}

function loadTypes() {
	const load = createRequire(INSTALLED);
	const { HttpRequest } = load(
		'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js',
	) as Record<string, new () => IVersionedNodeType>;
	const { HttpHeaderAuth } = load(
		'n8n-nodes-base/dist/credentials/HttpHeaderAuth.credentials.js',
	) as Record<string, new () => ICredentialType>;
	if (HttpRequest === undefined || HttpHeaderAuth === undefined) {
		throw new Error('The HTTP Request node has moved within n8n-nodes-base');
	}
	const types = typesOf({
		nodes: { [NODE]: HttpRequest },
		credentials: { httpHeaderAuth: HttpHeaderAuth },
	});
	declareCredential(types.getByNameAndVersion(NODE, types.newestVersion(NODE)));
	return types;
}

/** The editor offers generic credentials through a parameter; the engine harness uses the list. */
function declareCredential({ description }: INodeType): void {
	description.credentials = [...(description.credentials ?? []), { name: 'httpHeaderAuth' }];
}

function commonParameters({ subscriptionKey }: Target): INodeParameters {
	return {
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendHeaders: true,
		headerParameters: {
			parameters: [{ name: 'Ocp-Apim-Subscription-Key', value: subscriptionKey }],
		},
	};
}

function parametersOf({ url, clientId }: Target, { kind }: Workload): INodeParameters {
	const client = `${url}/v1/clients/${clientId}`;
	switch (kind) {
		case 'uploads':
			return { url: `${client}/uploads?size=${PAGE_SIZE}`, options: PAGINATION };
		case 'company':
			return { url: `=${url}/v1/engagements/{{ $json.engagementId }}/companyDetails` };
		case 'lastUpload':
			return { url: `=${client}/lastUploads?engagementIds={{ $json.engagementId }}` };
		case 'create':
			return {
				method: 'POST',
				url: `${client}/engagements`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '={{ { "sme": { "name": $json.name } } }}',
			};
		case 'refresh':
			return {
				method: 'POST',
				url: `=${url}/v1/engagements/{{ $json.engagementId }}/connectors/${CONNECTOR}/refresh`,
			};
		default:
			throw new Error(`${kind} is a task for the trigger`);
	}
}

const PAGINATION = {
	pagination: {
		pagination: {
			paginationMode: 'updateAParameterInEachRequest',
			parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount }}' }] },
			paginationCompleteWhen: 'other',
			completeExpression: '={{ $response.body.last }}',
		},
	},
};

/** A page is one item, with its records in `content`; a failed request is an item with `error`. */
function recordsIn({ json }: INodeExecutionData): number {
	if (Array.isArray(json.content)) return json.content.length;
	return json.error === undefined ? 1 : 0;
}
