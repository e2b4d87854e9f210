import { createRequire } from 'node:module';
import type { Installation } from '../process/install.mts';

/** The part of the SDK's client that is used. */
export interface McpClient {
	connect(transport: object): Promise<void>;
	getInstructions(): string | undefined;
	listTools(): Promise<{
		tools: Array<{
			name: string;
			description?: string;
			inputSchema: { properties?: Record<string, { description?: string }> };
		}>;
	}>;
	/** The result, or what went wrong. */
	callTool(call: {
		name: string;
		arguments: Record<string, unknown>;
	}): Promise<{ content: Array<{ text: string }>; isError?: boolean }>;
	close(): Promise<void>;
}

interface Sdk {
	Client: new (info: object) => McpClient;
	StreamableHTTPClientTransport: new (url: URL, options: { requestInit: object }) => object;
}

const SDK = '@modelcontextprotocol/sdk/client';

/**
 * Connects to an MCP server with the client of the protocol's own SDK, which is part of what n8n
 * installs. @throws an error with the HTTP status as `code` when the server rejects the token
 */
export async function connectMcp(
	{ script }: Installation,
	url: string,
	token?: string,
): Promise<McpClient> {
	const load = createRequire(script);
	const { Client }: Pick<Sdk, 'Client'> = load(`${SDK}/index.js`);
	const { StreamableHTTPClientTransport: Transport }: Pick<Sdk, 'StreamableHTTPClientTransport'> =
		load(`${SDK}/streamableHttp.js`);
	const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
	const client = new Client({ name: 'tests', version: '1.0.0' });
	await client.connect(new Transport(new URL(url), { requestInit: { headers } }));
	return client;
}
