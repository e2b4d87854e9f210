import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { Receivers } from '../standIns/receivers.mts';
import type { WorkflowInput } from './rest.mts';
import { credentialFor, type SandboxParts } from '../process/sandbox.mts';
import { isOwnNode, withCredential } from './nodes.mts';

const FOLDER = path.resolve('examples');

/** The end of addresses with which examples refuse to run, and of those that they have here. */
export const UNREPLACED = '@your-company.example';
export const REPLACED = '@lender.example';

/** The channel that examples post to here. */
export const SLACK_CHANNEL = 'C0UPLOADS';

/** The user name and password for pages that examples answer with. */
export const PAGE_LOGIN = { user: 'viewer', password: 'Engagement-1' };

/** What users set up for one of n8n's own nodes. */
interface SetUp {
	type: string;
	data: object;
	/** What they choose from lists. */
	chosen?: INodeParameters;
}

/**
 * The workflows of examples/ by file name, with the credentials, sheets, channels and mail server to
 * use here, and the address of a language model if there is one.
 */
export async function readExamples(
	{ rest, service }: SandboxParts,
	receivers: Receivers,
	modelUrl?: string,
): Promise<Map<string, WorkflowInput>> {
	const credential = await rest.createCredential(credentialFor(service));
	const setUps = listSetUps(receivers, modelUrl);
	const ids = new Map<SetUp, string>();
	for (const setUp of Object.values(setUps)) {
		const { type, data } = setUp;
		ids.set(setUp, await rest.createCredential({ name: type, type, data }));
	}
	const withCredentials = (node: INode): INode => {
		if (isOwnNode(node)) return withCredential(node, credential);
		const name = node.type.replace(/^.*\./, '');
		const setUp = setUps[name] ?? setUps[String(node.parameters.authentication)];
		if (setUp === undefined) return node;
		const { type, chosen } = setUp;
		const credentials = { [type]: { id: ids.get(setUp) ?? null, name: type } };
		return { ...node, parameters: { ...node.parameters, ...chosen }, credentials };
	};
	const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
	return new Map(
		names.sort().map((name) => {
			const text = readFileSync(path.join(FOLDER, name), 'utf8');
			const workflow: WorkflowInput = JSON.parse(text.replaceAll(UNREPLACED, REPLACED));
			return [name, { ...workflow, nodes: workflow.nodes.map(withCredentials) }];
		}),
	);
}

/** By the name of a node, or by its way of authentication. */
function listSetUps(
	{ url, mailPort }: Receivers,
	modelUrl: string | undefined,
): Record<string, SetUp> {
	const accessToken = 'only-here';
	const oAuth2 = {
		clientId: 'n8n',
		clientSecret: accessToken,
		oauthTokenData: { access_token: accessToken, token_type: 'Bearer' },
	};
	const chosen = (value: string) => ({ __rl: true, mode: 'id', value });
	return {
		emailSend: {
			type: 'smtp',
			data: { host: '127.0.0.1', port: mailPort, secure: false, disableStartTls: true },
		},
		slack: {
			type: 'slackApi',
			data: { accessToken },
			chosen: { channelId: chosen(SLACK_CHANNEL) },
		},
		googleSheets: {
			type: 'googleSheetsOAuth2Api',
			data: oAuth2,
			chosen: { documentId: chosen('uploads') },
		},
		microsoftExcel: {
			type: 'microsoftExcelOAuth2Api',
			data: { ...oAuth2, graphApiBaseUrl: url },
			chosen: {
				workbook: chosen('01UPLOADS'),
				worksheet: chosen('{00000000-0001-0000-0000-000000000000}'),
			},
		},
		...(modelUrl !== undefined && {
			lmChatOpenAi: { type: 'openAiApi', data: { apiKey: 'none', url: modelUrl } },
		}),
		basicAuth: { type: 'httpBasicAuth', data: PAGE_LOGIN },
	};
}
