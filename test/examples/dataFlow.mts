/** Which fields the items have that reach a node of a workflow. */
import type { IDataObject, INode } from 'n8n-workflow';

import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';
import {
	merged,
	operationFields,
	triggerFields,
	type OutputFields,
} from '../names/outputFields.mts';
import type { ExportedWorkflow } from '../support/engine/run.mts';

/** Undefined if unknown: other nodes may put out anything. */
export type Fields = OutputFields | undefined;

const OWN = 'n8n-nodes-engagement-uploads.';
/** Nodes of n8n that put out the items that they get. */
const PASSING_ON = [
	'filter',
	'if',
	'switch',
	'merge',
	'sort',
	'limit',
	'removeDuplicates',
	'noOp',
	'splitInBatches',
	'wait',
	'respondToWebhook',
	'stopAndError',
];
const FAILED: OutputFields = { error: {} };

export class DataFlow {
	private readonly actions = operationFields();
	private readonly trigger = triggerFields();
	/** Nodes under way, since loops lead back to them. */
	private readonly open = new Set<string>();

	constructor(private readonly workflow: ExportedWorkflow) {}

	/** Of the items that a node gets, whichever nodes they come from. */
	input(name: string): Fields {
		const sources = Object.entries(this.workflow.connections).flatMap(([source, { main = [] }]) =>
			main.flatMap((targets, index) =>
				(targets ?? []).some(({ node }) => node === name) ? [this.output(source, index)] : [],
			),
		);
		return sources.length === 0 ? undefined : union(sources);
	}

	/** Of the items that a node puts out. @throws if there is no such node */
	output(name: string, index = 0): Fields {
		const node = this.workflow.nodes.find((each) => each.name === name);
		if (node === undefined) throw new Error(`there is no node “${name}”`);
		if (this.open.has(name)) return {};
		this.open.add(name);
		try {
			return this.outputOf(node, index);
		} finally {
			this.open.delete(name);
		}
	}

	/** The Selected Fields of one of this package's nodes, each with what there is to select. */
	selected({ type, parameters }: INode): Array<[field: string, known: Fields]> {
		const isExpression = String(parameters.fields).startsWith('=');
		if (!type.startsWith(OWN) || parameters.output !== 'selectedFields' || isExpression) return [];
		// Nested ones are the service's.
		const names = Object.keys(selectedFields(parameters)).filter((name) => !name.includes('.'));
		return names.map((name) => [name, this.simplified(type, parameters)]);
	}

	private outputOf(node: INode, index: number): Fields {
		const type = node.type.split('.')[1] ?? '';
		if (node.type.startsWith(OWN)) return this.ownOutput(node, index);
		if (PASSING_ON.includes(type)) return this.input(node.name);
		if (type === 'set') return this.assigned(node);
		return undefined;
	}

	private ownOutput({ name, type, parameters, onError }: INode, index: number): Fields {
		const isTrigger = type.endsWith('Trigger');
		if (onError === 'continueErrorOutput' && index === 1)
			return isTrigger ? FAILED : union([FAILED, this.input(name)]);
		const { output } = parameters;
		if (output === 'raw') return undefined;
		const chosen =
			output === 'selectedFields' ? selectedFields(parameters) : this.simplified(type, parameters);
		return onError === 'continueRegularOutput' ? union([FAILED, chosen]) : chosen;
	}

	private simplified(type: string, parameters: INode['parameters']): Fields {
		return type.endsWith('Trigger') ? this.trigger : this.actions.get(operationOf(parameters));
	}

	/** Of an Edit Fields node. */
	private assigned({ name, parameters }: INode): Fields {
		const { assignments = {}, includeOtherFields, mode } = parameters as IDataObject;
		if (mode === 'raw') return undefined;
		const entries = ((assignments as IDataObject).assignments ?? []) as Array<{ name: string }>;
		const own = merged(entries.map((each) => nested(each.name.split('.'))));
		return includeOtherFields === true ? union([own, this.input(name)]) : own;
	}
}

/** With the node's defaults. */
function operationOf({ resource = 'upload', operation }: INode['parameters']): string {
	const own = operations.filter((each) => each.resource === resource);
	const preferred = own.find((each) => each.operation === 'getAll') ?? own[0];
	return `${String(resource)}.${String(operation ?? preferred?.operation)}`;
}

/** They come out under the names as entered. */
function selectedFields({ fields = '' }: INode['parameters']): OutputFields {
	return Object.fromEntries(
		String(fields)
			.split(/[\s,;]+/)
			.map((name) => [name, {}]),
	);
}

function nested([name = '', ...inner]: string[]): OutputFields {
	return { [name]: inner.length === 0 ? {} : nested(inner) };
}

function union(several: Fields[]): Fields {
	const known = several.filter((fields) => fields !== undefined);
	return known.length < several.length ? undefined : merged(known);
}
