import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A tool as the agent offers it to the model. */
export interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties: Record<string, { type: string; description?: string }> };
}

/** A tool call by the model; its arguments are named as in `$fromAI`. */
export interface ToolCall {
	tool: string;
	input: Record<string, unknown>;
}

/** A stand-in for a language model, which makes the given tool calls. */
export interface LanguageModel {
	url: string;
	/** The tools that it was last offered. */
	offered: OfferedTool[];
	/** The results of the tools, in the order of the calls. */
	results: string[];
	close(): Promise<void>;
}

interface CompletionRequest {
	tools?: Array<{ function: OfferedTool }>;
	messages: Array<{ role: string; content: unknown }>;
}

/** Starts the stand-in; it makes one call after the other, and then ends the conversation. */
export async function startLanguageModel(calls: ToolCall[]): Promise<LanguageModel> {
	const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
		void json(request).then((body) => {
			const { tools = [], messages } = body as CompletionRequest;
			model.offered = tools.map(({ function: offered }) => offered);
			model.results = messages
				.filter(({ role }) => role === 'tool')
				.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
			const next = calls[model.results.length];
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(completion(model.results.length, next)));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const model: LanguageModel = {
		url: `http://127.0.0.1:${port}/v1`,
		offered: [],
		results: [],
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return model;
}

function completion(index: number, call: ToolCall | undefined): object {
	const toolCalls = call && [
		{
			id: `call_${index}`,
			type: 'function',
			function: { name: call.tool, arguments: JSON.stringify(call.input) },
		},
	];
	return {
		id: `completion-${index}`,
		object: 'chat.completion',
		created: 0,
		model: 'stand-in',
		choices: [
			{
				index: 0,
				message: { role: 'assistant', content: toolCalls ? null : 'Done', tool_calls: toolCalls },
				finish_reason: toolCalls ? 'tool_calls' : 'stop',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
