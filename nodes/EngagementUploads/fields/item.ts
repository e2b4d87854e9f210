/** The parameters of one input item, validated as they are read. */
import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';
import { inputError } from '../transport/errors';
import { InputError } from '../values/inputError';
import { isObject, parseCollection } from '../values/objects';
import { optionLabels, optionsOf, type Options } from './options';

/** Validates a value; `field` is its label in the editor. @throws InputError */
export type Reader<T> = (value: unknown, field: string) => T;

/**
 * The parameters of a node. Those without an expression are the same for all items, so they are
 * read once.
 */
export class Parameters {
	/** As in the saved workflow; n8n copies the whole node at each request for it. */
	readonly entered: INodeParameters;
	private readonly constants = new Map<string, unknown>();

	constructor(private readonly context: IExecuteFunctions) {
		this.entered = context.getNode().parameters;
	}

	value(name: string, itemIndex: number): unknown {
		if (this.constants.has(name)) return this.constants.get(name);
		const value: unknown = this.context.getNodeParameter(name, itemIndex, null);
		if (!this.hasExpression(name)) this.constants.set(name, value);
		return value;
	}

	/** In a saved workflow, an expression is a string that starts with `=`. */
	private hasExpression(name: string): boolean {
		const entered = this.entered[name];
		return entered !== undefined && JSON.stringify(entered).includes('"=');
	}
}

/** The collections of the node, and their labels. */
const COLLECTIONS = {
	additionalFields: { label: 'Additional Fields', known: [] },
	filters: { label: 'Filters', known: [] },
	options: { label: 'Options', known: optionLabels.map(([name]) => name) },
};

/** An expression's error, as n8n throws it. */
interface EvaluationError extends Error {
	description?: string | null;
	context?: IDataObject;
}

type Evaluated = { value: unknown } | { error: EvaluationError };

type CollectionName = keyof typeof COLLECTIONS;

export class Item {
	private cachedOptions: Options | undefined;
	private latest: { name: string; result: Evaluated } | undefined;

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

	/** Checks that a collection has only known fields. */
	checkNames({ name, displayName, options = [] }: INodeProperties): void {
		const known = options.map((option) => option.name);
		const value = this.valueOrError(name);
		if (!('error' in value)) this.check(() => parseCollection(value.value, displayName, known));
	}

	private fieldOf(collection: CollectionName, name: string, field: string): unknown {
		const { label, known } = COLLECTIONS[collection];
		const hasFields = isObject(this.parameters.entered[collection]);
		const hasFailed = hasFields && 'error' in this.valueOrError(collection);
		// An expression in one of the fields failed; the others can still be read.
		if (hasFailed) return this.evaluate(`${collection}.${name}`, field);
		return parseCollection(this.evaluate(collection, label), label, known)[name];
	}

	private evaluate(name: string, field: string): unknown {
		const result = this.valueOrError(name);
		if ('value' in result) return result.value;
		const { error } = result;
		const { message, description } = error;
		const advice = description ?? `Check the expression in ${field}`;
		throw new InputError(`${field} could not be evaluated: ${message}`, advice, error);
	}

	private valueOrError(name: string): Evaluated {
		// Avoids evaluating a collection again for each of its fields.
		if (this.latest?.name === name) return this.latest.result;
		let result: Evaluated;
		try {
			result = { value: this.parameters.value(name, this.index) };
		} catch (error) {
			result = { error: error as EvaluationError };
		}
		this.latest = { name, result };
		return result;
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
	error({ message, advice, cause }: InputError) {
		const error = inputError(this.context.getNode(), message, advice, this.index);
		// The editor needs the context to explain a failed expression.
		const { context } = (cause ?? {}) as Partial<EvaluationError>;
		Object.assign(error.context, context, { messageTemplate: undefined, itemIndex: this.index });
		return error;
	}
}
