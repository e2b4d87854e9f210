import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from './standIn.mts';

/** A tool call by the model; its arguments are named as in `$fromAI`. */
export interface ToolCall {
	tool: string;
	input: Record<string, unknown>;
}

/** What the model answers: tool calls to make at once, or text, which ends its turn. */
type Reply = ToolCall[] | string;

/** A stand-in for a language model, which gives the replies that it is told to give. */
export interface LanguageModel {
	url: string;
	/** The next replies; when there are none left, it says that it is done. */
	replies: Reply[];
	/** The results of all tool calls in the conversation, in their order. */
	results: string[];
}

interface CompletionRequest {
	messages: Array<{ role: string; content: string }>;
}

/** Starts the stand-in. */
export async function startLanguageModel(): Promise<LanguageModel> {
	const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
		void json(request).then((body) => {
			const { messages } = body as CompletionRequest;
			model.results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(completion(model.replies.shift() ?? 'Done')));
		});
	});
	const url = `http://127.0.0.1:${await listen(server)}/v1`;
	const model: LanguageModel = { url, replies: [], results: [] };
	return model;
}

function completion(reply: Reply): object {
	const isText = typeof reply === 'string';
	const message = isText
		? { role: 'assistant', content: reply }
		: { role: 'assistant', content: null, tool_calls: reply.map(toolCall) };
	return {
		id: 'completion',
		object: 'chat.completion',
		created: 0,
		model: 'stand-in',
		choices: [{ index: 0, message, finish_reason: isText ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function toolCall({ tool, input }: ToolCall): object {
	return {
		id: `call_${randomUUID()}`,
		type: 'function',
		function: { name: tool, arguments: JSON.stringify(input) },
	};
}
