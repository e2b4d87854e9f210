import { createRequire } from 'node:module';
import type { Installation } from './install.mts';

/** A tool that an MCP server offers. */
export interface McpTool {
	name: string;
	description?: string;
	inputSchema: { properties?: Record<string, { description?: string }>; required?: string[] };
}

/** The result of a call of a tool, or what went wrong. */
export interface McpResult {
	content: Array<{ type: string; text: string }>;
	isError?: boolean;
}

/** The part of the SDK's client that is used. */
export interface McpClient {
	connect(transport: object): Promise<void>;
	getInstructions(): string | undefined;
	listTools(): Promise<{ tools: McpTool[] }>;
	callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<McpResult>;
	close(): Promise<void>;
}

const SDK = '@modelcontextprotocol/sdk/client';

interface TransportOptions {
	requestInit: { headers: Record<string, string> };
}

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
	const { Client }: { Client: new (info: object) => McpClient } = load(`${SDK}/index.js`);
	const {
		StreamableHTTPClientTransport: Transport,
	}: { StreamableHTTPClientTransport: new (url: URL, options: TransportOptions) => object } = load(
		`${SDK}/streamableHttp.js`,
	);
	const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
	const client = new Client({ name: 'tests', version: '1.0.0' });
	await client.connect(new Transport(new URL(url), { requestInit: { headers } }));
	return client;
}
