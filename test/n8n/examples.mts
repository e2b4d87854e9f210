import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { Receivers } from './receivers.mts';
import type { CredentialInput, Rest, WorkflowInput } from './rest.mts';
import { credentialFor, type SandboxParts } from './sandbox.mts';
import { isOwnNode, withCredential } from './workflows.mts';

const FOLDER = path.resolve('examples');

/** The user name and password for pages that examples answer with. */
export const PAGE_LOGIN = { user: 'viewer', password: 'Engagement-1' };
/** The token for the MCP server of an example. */
export const MCP_TOKEN = 'a-token-for-this-computer';

/** The credentials of n8n's own nodes, by the type of the node. */
const CREDENTIAL_TYPES: Record<string, string> = {
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.slack': 'slackApi',
	'n8n-nodes-base.microsoftTeams': 'microsoftTeamsOAuth2Api',
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'n8n-nodes-base.microsoftExcel': 'microsoftExcelOAuth2Api',
	'n8n-nodes-base.salesforce': 'salesforceOAuth2Api',
};
/** What users choose from lists, by the type of the node. */
const CHOICES: Record<string, INodeParameters> = {
	'n8n-nodes-base.microsoftTeams': {
		teamId: { __rl: true, mode: 'id', value: '7d8f1f5e-3a52-4b1f-9a53-0c1f5f8f9b10' },
		channelId: { __rl: true, mode: 'id', value: '19:uploads@thread.tacv2' },
	},
	'n8n-nodes-base.googleSheets': { documentId: { __rl: true, mode: 'id', value: 'uploads' } },
	'n8n-nodes-base.microsoftExcel': {
		workbook: { __rl: true, mode: 'id', value: '01UPLOADS' },
		worksheet: { __rl: true, mode: 'id', value: '{00000000-0001-0000-0000-000000000000}' },
	},
};

/**
 * The workflows of examples/ by file name, with the credentials, sheets, channels and mail server to
 * use here; only a language model is missing.
 */
export async function readExamples(
	{ n8n, rest, service }: SandboxParts,
	receivers: Receivers,
): Promise<Map<string, WorkflowInput>> {
	const credential = await rest.createCredential(credentialFor(service));
	const others = await otherCredentials(rest, receivers);
	const withCredentials = (node: INode): INode => {
		if (isOwnNode(node)) return withCredential(node, credential);
		const type = findCredentialType(node);
		if (type === undefined) return node;
		const credentials = { [type]: { id: others.get(type) ?? null, name: type } };
		const parameters = { ...node.parameters, ...CHOICES[node.type] };
		return { ...node, parameters, credentials };
	};
	const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
	return new Map(
		names.sort().map((name) => {
			const text = readFileSync(path.join(FOLDER, name), 'utf8').replaceAll(
				'https://n8n.example.com',
				n8n.url,
			);
			const workflow: WorkflowInput = JSON.parse(text);
			return [name, { ...workflow, nodes: workflow.nodes.map(withCredentials) }];
		}),
	);
}

/** Creates the credentials of n8n's own nodes. @returns their IDs, by type */
async function otherCredentials(
	rest: Rest,
	{ url, mailPort }: Receivers,
): Promise<Map<string, string>> {
	const { user, password } = PAGE_LOGIN;
	const token = { access_token: 'only-here', token_type: 'Bearer' };
	const oAuth2 = (more: object, answered = {}) => ({
		clientId: 'n8n',
		clientSecret: 'only-here',
		oauthTokenData: { ...token, ...answered },
		...more,
	});
	const inputs: CredentialInput[] = [
		{
			name: 'Mail',
			type: 'smtp',
			data: { host: '127.0.0.1', port: mailPort, secure: false, disableStartTls: true },
		},
		{ name: 'Slack', type: 'slackApi', data: { accessToken: token.access_token } },
		{ name: 'Teams', type: 'microsoftTeamsOAuth2Api', data: oAuth2({ graphApiBaseUrl: url }) },
		{ name: 'Excel', type: 'microsoftExcelOAuth2Api', data: oAuth2({ graphApiBaseUrl: url }) },
		{ name: 'Sheets', type: 'googleSheetsOAuth2Api', data: oAuth2({}) },
		{ name: 'Salesforce', type: 'salesforceOAuth2Api', data: oAuth2({}, { instance_url: url }) },
		// The name tells those who try the example out what to enter in the browser.
		{ name: `Page (${user}, ${password})`, type: 'httpBasicAuth', data: PAGE_LOGIN },
		{ name: `MCP (${MCP_TOKEN})`, type: 'httpBearerAuth', data: { token: MCP_TOKEN } },
	];
	const ids = inputs.map(
		async (input): Promise<[string, string]> => [input.type, await rest.createCredential(input)],
	);
	return new Map(await Promise.all(ids));
}

/** The type of credential that one of n8n's own nodes needs, if it needs one. */
function findCredentialType({ type, parameters }: INode): string | undefined {
	if (type in CREDENTIAL_TYPES) return CREDENTIAL_TYPES[type];
	if (parameters.authentication === 'basicAuth') return 'httpBasicAuth';
	return parameters.authentication === 'bearerAuth' ? 'httpBearerAuth' : undefined;
}
