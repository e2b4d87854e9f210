/** The parameters of one input item, validated as they are read. */
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { inputError } from '../transport/errors';
import { InputError } from '../values/inputError';
import { parseCollection } from '../values/objects';
import { optionLabels, optionsOf, type Options } from './options';

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

/** The collections of the node, and their labels. */
const COLLECTIONS = {
	additionalFields: { label: 'Additional Fields', known: [] },
	filters: { label: 'Filters', known: [] },
	options: { label: 'Options', known: optionLabels.map(([name]) => name) },
};

type CollectionName = keyof typeof COLLECTIONS;

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
		this.cachedOptions ??= this.check(() => {
			const entered = optionLabels.map(([name, field]) => [
				name,
				this.fieldOf('options', name, field),
			]);
			return optionsOf(Object.fromEntries(entered) as IDataObject);
		});
		return this.cachedOptions;
	}

	/** A validated parameter. @throws NodeOperationError that names the field and the item */
	read<T>(name: string, field: string, reader: Reader<T>): T {
		return this.check(() => reader(this.evaluate(name, field), field));
	}

	/** A validated field of a collection. */
	readFrom<T>(collection: CollectionName, name: string, field: string, reader: Reader<T>): T {
		return this.check(() => reader(this.fieldOf(collection, name, field), field));
	}

	/** A collection; fields it should not have are an error. */
	collection({ name, displayName, options = [] }: INodeProperties): IDataObject {
		const known = options.map((option) => option.name);
		return this.read(name, displayName, (value, field) => parseCollection(value, field, known));
	}

	private fieldOf(collection: CollectionName, name: string, field: string): unknown {
		let value: unknown;
		try {
			value = this.parameters.value(collection, this.index);
		} catch {
			// An expression in one of the fields; the others can still be read.
			return this.evaluate(`${collection}.${name}`, field);
		}
		const { label, known } = COLLECTIONS[collection];
		return parseCollection(value, label, known)[name];
	}

	private evaluate(name: string, field: string): unknown {
		try {
			return this.parameters.value(name, this.index);
		} catch (error) {
			throw evaluationError(error, field);
		}
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

/** n8n's own explanation of an expression that failed. */
function evaluationError(error: unknown, field: string): InputError {
	const { message, description } = error as { message: string; description?: unknown };
	const advice = typeof description === 'string' ? description : '';
	return new InputError(`${field} could not be evaluated: ${message}`, advice);
}
