/** One execution of the node: its input items, the service, and what its items share. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { optionsOf, type Options } from '../fields/options';
import { isEmpty, InputError } from '../values/input';
import { outputChoice } from '../fields/output';
import { shaped, type OutputChoice } from '../output/outputMapper';
import type { ShapeName } from '../output/simplified';
import { inputError } from '../transport/errors';
import type { Call, ServiceClient } from '../transport/client';
import type { Query } from '../transport/url';
import { Hints } from './hints';

export class Run {
	readonly items: Item[];
	readonly hints = new Hints();
	private readonly sharedThings = new Map<string, unknown>();

	constructor(
		readonly context: IExecuteFunctions,
		readonly service: ServiceClient,
	) {
		this.items = context.getInputData().map((_, index) => new Item(this, index));
	}

	/** Whether On Error says that the other items go on after one has failed. */
	get keepsGoing(): boolean {
		return this.context.continueOnFail();
	}

	/** Something that items use together, made by the first that needs it. */
	shared<T>(key: string, make: () => T): T {
		if (!this.sharedThings.has(key)) this.sharedThings.set(key, make());
		return this.sharedThings.get(key) as T;
	}
}

/** Makes a call out of what is asked of the service; `purpose` as in “Could not …”. */
export type CallMaker = (path: string, purpose: string, query?: Query, body?: IDataObject) => Call;

/** One input item with the parameters as they are for it. */
export class Item {
	private readonly collections = new Map<string, IDataObject>();
	private knownOptions: Options | undefined;

	constructor(
		readonly run: Run,
		readonly index: number,
	) {}

	/** The zone of dates that are entered without an offset: that of the workflow. */
	get zone(): string {
		return this.run.context.getTimezone();
	}

	get options(): Options {
		this.knownOptions ??= this.check(() => optionsOf(this.collection('options')));
		return this.knownOptions;
	}

	/** A parameter, checked. @throws NodeOperationError that names the field and the item */
	read<T>(name: string, field: string, reader: (value: unknown, field: string) => T): T {
		return this.check(() => reader(this.value(name), field));
	}

	/** A field of a collection, checked. */
	readFrom<T>(
		collection: string,
		name: string,
		field: string,
		reader: (value: unknown, field: string) => T,
	): T {
		return this.check(() => reader(this.collection(collection)[name], field));
	}

	value(name: string): unknown {
		return this.run.context.getNodeParameter(name, this.index, null);
	}

	/** Makes the calls of this item, with what its options add; the options are checked here. */
	caller(method: Call['method']): CallMaker {
		const { timeout, customQuery, customBody } = this.options;
		return (path, purpose, query, body) => ({
			method,
			path,
			purpose,
			query: { ...query, ...customQuery },
			...(method === 'POST' && { body: merged(body, customBody) }),
			timeout,
			itemIndex: this.index,
		});
	}

	/** The maker of this item's records in the form that was chosen in Output. */
	outputMapper(shape: ShapeName): (record: IDataObject, engagementId?: number) => IDataObject {
		const choice: OutputChoice = this.check(() =>
			outputChoice(this.value('output'), this.value('fields')),
		);
		const { zone } = this.run.service;
		return (record, engagementId) => shaped(record, shape, choice, { zone, engagementId });
	}

	/** Tells the user where Limit may have cut a list of so many records, or Filters let none through. */
	addListHints(count: number, limit: number | undefined): void {
		if (count === limit) this.run.hints.add('limitReached', this.index);
		const isFiltered = Object.values(this.collection('filters')).some((value) => !isEmpty(value));
		if (count === 0 && isFiltered) this.run.hints.add('nothingMatched', this.index);
	}

	private collection(name: string): IDataObject {
		const known = this.collections.get(name) ?? ((this.value(name) ?? {}) as IDataObject);
		this.collections.set(name, known);
		return known;
	}

	private check<T>(read: () => T): T {
		try {
			return read();
		} catch (error) {
			if (error instanceof InputError) throw this.refusal(error);
			throw inputError(this.run.context.getNode(), (error as Error).message, '', this.index);
		}
	}

	/** The error for wrong input of this item. */
	refusal({ message, advice }: InputError) {
		return inputError(this.run.context.getNode(), message, advice, this.index);
	}
}

/** Merges objects deeply; where both have a value, that of `over` counts. Neither is changed. */
export function merged(
	base: IDataObject | undefined,
	over: IDataObject | undefined,
): IDataObject | undefined {
	if (base === undefined || over === undefined) return base ?? over;
	const names = [...new Set([...Object.keys(base), ...Object.keys(over)])];
	const values = names.map((name) => [name, mergedValue(base, over, name)]);
	return Object.fromEntries(values) as IDataObject;
}

function mergedValue(base: IDataObject, over: IDataObject, name: string): unknown {
	if (!Object.hasOwn(over, name)) return base[name];
	const [below, above] = [Object.hasOwn(base, name) ? base[name] : undefined, over[name]];
	return isPlain(below) && isPlain(above) ? merged(below, above) : above;
}

function isPlain(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
