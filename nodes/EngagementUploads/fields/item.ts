/** The parameters of one input item, validated as they are read. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { inputError } from '../transport/errors';
import { InputError } from '../values/inputError';
import { optionsOf, type Options } from './options';

/** Validates a value; `field` is its label in the editor. @throws InputError */
export type Reader<T> = (value: unknown, field: string) => T;

/**
 * The parameters of a node. Those without an expression are the same for all items, so they are
 * read once.
 */
export class Parameters {
	private readonly constants = new Map<string, unknown>();

	constructor(private readonly context: IExecuteFunctions) {}

	value(name: string, itemIndex: number): unknown {
		if (this.constants.has(name)) return this.constants.get(name);
		const value: unknown = this.context.getNodeParameter(name, itemIndex, null);
		if (!this.hasExpression(name)) this.constants.set(name, value);
		return value;
	}

	/** In a saved workflow, an expression is a string that starts with `=`. */
	private hasExpression(name: string): boolean {
		const entered = this.context.getNode().parameters[name];
		return entered !== undefined && JSON.stringify(entered).includes('"=');
	}
}

export class Item {
	private cachedOptions: Options | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly parameters: Parameters,
		readonly index: number,
	) {}

	/** Time zone for dates entered without an offset: the workflow's. */
	get zone(): string {
		return this.context.getTimezone();
	}

	get options(): Options {
		this.cachedOptions ??= this.check(() => optionsOf(this.collection('options')));
		return this.cachedOptions;
	}

	/** A validated parameter. @throws NodeOperationError that names the field and the item */
	read<T>(name: string, field: string, reader: Reader<T>): T {
		return this.check(() => reader(this.parameters.value(name, this.index), field));
	}

	/** A validated field of a collection. */
	readFrom<T>(collection: string, name: string, field: string, reader: Reader<T>): T {
		return this.check(() => reader(this.collection(collection)[name], field));
	}

	collection(name: string): IDataObject {
		return (this.parameters.value(name, this.index) ?? {}) as IDataObject;
	}

	/** Runs a check; an InputError becomes an error of this item. */
	check<T>(run: () => T): T {
		try {
			return run();
		} catch (error) {
			const { message } = error as Error;
			throw this.error(error instanceof InputError ? error : new InputError(message, ''));
		}
	}

	/** An InputError as an error of this item. */
	error({ message, advice }: InputError) {
		return inputError(this.context.getNode(), message, advice, this.index);
	}
}
