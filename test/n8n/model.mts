import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What an agent offers to the model. */
export interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties: Record<string, { type: string; description?: string }> };
}

/** A call that the model asks for; the names of the arguments are those of `$fromAI`. */
export interface ToolCall {
	tool: string;
	input: Record<string, unknown>;
}

/** A stand-in for a language model, which does not think: it asks for the calls that it was given. */
export interface Model {
	url: string;
	/** The tools that were offered to it last. */
	offered: OfferedTool[];
	/** What the tools answered, in the order of the calls. */
	answers: string[];
	close(): Promise<void>;
}

interface Question {
	tools?: Array<{ function: OfferedTool }>;
	messages: Array<{ role: string; content: unknown }>;
}

/** Starts the stand-in; it asks for one call after the other, and is then content. */
export async function startModel(calls: ToolCall[]): Promise<Model> {
	const server = createServer((request, response) => {
		void json(request).then((body) => {
			const { tools = [], messages } = body as Question;
			model.offered = tools.map(({ function: offered }) => offered);
			model.answers = messages
				.filter(({ role }) => role === 'tool')
				.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
			const next = calls[model.answers.length];
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(completion(model.answers.length, next)));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const model: Model = {
		url: `http://127.0.0.1:${port}/v1`,
		offered: [],
		answers: [],
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return model;
}

function completion(index: number, call: ToolCall | undefined): object {
	const asked = call && [
		{
			id: `call_${index}`,
			type: 'function',
			function: { name: call.tool, arguments: JSON.stringify(call.input) },
		},
	];
	return {
		id: `answer-${index}`,
		object: 'chat.completion',
		created: 0,
		model: 'stand-in',
		choices: [
			{
				index: 0,
				message: { role: 'assistant', content: asked ? null : 'Done', tool_calls: asked },
				finish_reason: asked ? 'tool_calls' : 'stop',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
