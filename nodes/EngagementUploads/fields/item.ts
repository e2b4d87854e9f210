/**
 * The parameters of the input items, validated before anything is sent. Those without an expression
 * are the same for all items, so they are read once.
 */
import type { IExecuteFunctions } from 'n8n-workflow';
import { inSlices } from '../values/clock';
import { conditionsOf, read, type Fields, type Source, type Values } from './field';

/** An input item and its values. */
export interface Item<F extends Fields = Fields> {
	index: number;
	values: Values<F>;
}

/** An item whose parameters are invalid. */
export interface InvalidItem {
	index: number;
	error: unknown;
}

/**
 * Reads the parameters of all items. Where On Error stops at the first invalid one, it is the last
 * that is read. An item that is done cannot be invalid, although its expressions may be by now.
 */
export async function readItems<F extends Fields>(
	fields: F,
	context: IExecuteFunctions,
	isDone: (index: number) => boolean = () => false,
): Promise<Array<Item<F> | InvalidItem>> {
	const valuesOf = valuesReader(fields, context);
	const items: Array<Item<F> | InvalidItem> = [];
	for await (const index of inSlices(context.getInputData().keys())) {
		try {
			items.push({ index, values: valuesOf(index) });
		} catch (error) {
			if (isDone(index)) continue;
			items.push({ index, error });
			if (!context.continueOnFail()) break;
		}
	}
	return items;
}

function valuesReader<F extends Fields>(
	fields: F,
	context: IExecuteFunctions,
): (index: number) => Values<F> {
	const { parameters } = context.getNode();
	const zone = context.getTimezone();
	const sourceOf = (index: number): Source => ({
		zone,
		value: (name) => context.getNodeParameter(name, index, null),
	});
	/** In a saved workflow, an expression is a string that starts with `=`. */
	const isConstant = (name: string): boolean =>
		!JSON.stringify(parameters[name] ?? null).includes('"=') &&
		conditionsOf(fields[name]).every(isConstant);
	const constant = Object.fromEntries(Object.entries(fields).filter(([name]) => isConstant(name)));
	let shared: Partial<Values<F>> | undefined;
	return (index) => {
		const source = sourceOf(index);
		shared ??= read(constant, source) as Partial<Values<F>>;
		return read(fields, source, shared);
	};
}
