/** Limits what a tool call returns to an AI model. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** Characters of JSON, roughly 15,000 tokens. The model gets all items of a call at once. */
const MAX_CHARACTERS = 50_000;
const NOTE_CHARACTERS = 500;

/** Leaves out the items that would be too much for a tool call, and says so in a last item. */
export function fitToolCall(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
): INodeExecutionData[] {
	if (!isToolCall(context)) return items;
	let characters = NOTE_CHARACTERS;
	let count = 0;
	for (const { json } of items) {
		characters += JSON.stringify(json).length + 1;
		if (characters > MAX_CHARACTERS) break;
		count++;
	}
	const next = items[count];
	if (next === undefined) return items;
	const leftOut = items.length - count;
	const note = `Left out: ${leftOut} of ${items.length} ${items.length === 1 ? 'item' : 'items'}, since a tool call returns at most ${MAX_CHARACTERS.toLocaleString('en')} characters. Narrow the request with filters, such as IDs or dates, or return fewer fields with the output Simplified or Selected Fields.`;
	return [...items.slice(0, count), { json: { leftOut, note }, pairedItem: next.pairedItem }];
}

/** For an agent, n8n runs a node as its tool variant; or, as part of the agent, with the agent's data. */
function isToolCall(context: IExecuteFunctions): boolean {
	const { name, type } = context.getNode();
	return type.endsWith('Tool') || context.getExecuteData().node.name !== name;
}
