/** Examples and documents refer only to fields that the nodes put out. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { INode } from 'n8n-workflow';

import { merged, operationFields, triggerFields } from '../names/outputFields.mts';
import type { ExportedWorkflow } from '../support/engine/run.mts';
import { DataFlow, type Fields } from './dataFlow.mts';
import { codeIn, referencesIn } from './references.mts';

const ADVICE =
	'Correct the expression. If an output field was renamed, saved workflows break in the same way: see “A new node version” in CONTRIBUTING.md';
/** Parameters of n8n's nodes that hold the names of fields of the input. */
const FIELD_NAMES = ['fieldToAggregate', 'fieldToSplitOut', 'matchingColumns'];

/** Each text in the parameters of a node, with the name of its parameter. */
function* textsIn(value: unknown, name = ''): Generator<[name: string, text: string]> {
	if (typeof value === 'string') yield [name, value];
	if (typeof value !== 'object' || value === null) return;
	for (const [key, inner] of Object.entries(value))
		yield* textsIn(inner, Array.isArray(value) ? name : key);
}

/** The part of a path that the fields lack; undefined if they have it, or are not known. */
function missing(fields: Fields, [name, ...inner]: string[]): string | undefined {
	if (fields === undefined || name === undefined || Object.keys(fields).length === 0)
		return undefined;
	return name in fields ? missing(fields[name], inner) : name;
}

function* complaintsOf(node: INode, flow: DataFlow): Generator<string> {
	const lacks = (fields: Fields, names: string[], text: string) => {
		const name = missing(fields, names);
		return name === undefined
			? []
			: [
					`“${node.name}” refers to ${text}, but there is no “${name}” in ${Object.keys(fields ?? {}).join(', ')}`,
				];
	};
	for (const [name, text] of textsIn(node.parameters)) {
		for (const code of codeIn(name, text))
			for (const { node: from, path, text: written } of referencesIn(code))
				yield* lacks(from === undefined ? flow.input(node.name) : flow.output(from), path, written);
		if (FIELD_NAMES.includes(name) && !text.startsWith('='))
			yield* lacks(flow.input(node.name), [text], `the field ${text}`);
	}
	for (const [field, known] of flow.selected(node))
		yield* lacks(known, [field], `the field ${field}`);
}

function complaintsAbout(workflow: ExportedWorkflow): string[] {
	const flow = new DataFlow(workflow);
	return workflow.nodes.flatMap((node) => [...complaintsOf(node, flow)]);
}

const FILES = readdirSync('examples');

const read = (file: string) =>
	JSON.parse(readFileSync(path.join('examples', file), 'utf8')) as ExportedWorkflow;

it.each(FILES)('every field in examples/%s exists', (file) => {
	const complaints = complaintsAbout(read(file));
	if (complaints.length > 0)
		throw new Error(`examples/${file}:\n${complaints.join('\n')}\n${ADVICE}`);
});

it('every field in an expression of a document exists', () => {
	const all = merged([...operationFields().values(), triggerFields()]);
	const documents = ['README.md', ...readdirSync('docs').map((name) => path.join('docs', name))];
	const complaints = documents
		.filter((name) => name.endsWith('.md'))
		.flatMap((name) =>
			codeIn('', `=${readFileSync(name, 'utf8')}`)
				.flatMap(referencesIn)
				.filter((reference) => missing(all, reference.path) !== undefined)
				.map(({ text }) => `${name}: ${text}`),
		);
	if (complaints.length > 0) throw new Error(`${complaints.join('\n')}\n${ADVICE}`);
});
