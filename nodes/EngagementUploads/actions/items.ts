/**
 * Reads the input items: first the parameters of all of them, before anything is sent; then the engagements
 * that they name, which are looked up together.
 */
import type { IExecuteFunctions } from 'n8n-workflow';
import type { EngagementChoice } from '../fields/locators';
import { readFields, type Fields, type Parse, type Values } from '../fields/field';
import { findByExternalId, singleEngagement, toEngagementId } from '../lookups/engagements';
import type { Answers } from '../lookups/lookUp';
import type { Engagement } from '../service/records';
import { inSlices } from '../values/work';
import { enteredIn, isObject } from '../values/objects';
import { Item, type ItemOf, type ItemValues } from './item';
import type { Run } from './run';

/** An item whose parameters are valid. */
interface ReadItem<F extends Fields> {
	index: number;
	values: Values<F>;
}

/** What the user entered for all items. */
interface Entered<F extends Fields> {
	items: Array<ReadItem<F>>;
	/** The errors of the other items, by index. */
	errors: Map<number, unknown>;
	/** The filters that an expression left without a value. */
	emptied: Set<string>;
}

/** Reads the parameters of all items, except those that an earlier attempt has done. */
export async function readItems<F extends Fields>(
	context: IExecuteFunctions,
	fields: F,
	isDone: (index: number) => boolean,
): Promise<Entered<F>> {
	const { parameters } = context.getNode();
	const zone = context.getTimezone();
	// n8n takes longer to read a parameter than the node to use it.
	const expressions = Object.keys(fields).filter((name) => hasExpression(parameters[name]));
	const valueIn = (index: number) => (name: string) =>
		expressions.includes(name)
			? enteredIn(parameters, name, context.getNodeParameter(name, index, null) ?? null)
			: enteredIn(parameters, name);
	const parsedOnce = Object.fromEntries(
		Object.entries(fields).map(([name, each]) => [
			name,
			expressions.includes(name) ? each : { ...each, parse: once(each.parse) },
		]),
	) as F;
	const items: Array<ReadItem<F>> = [];
	const errors = new Map<number, unknown>();
	const emptied = new Set<string>();
	for await (const index of inSlices(context.getInputData().keys())) {
		// By now, its expressions may have other values, even invalid ones.
		if (isDone(index)) continue;
		try {
			const values = readFields(parsedOnce, { zone, value: valueIn(index) });
			items.push({ index, values });
			for (const label of findEmptied(fields, parameters.filters, values)) emptied.add(label);
		} catch (error) {
			errors.set(index, error);
			if (!context.continueOnFail()) break;
		}
	}
	return { items, errors, emptied };
}

/** Parses a value only once, since it is the same for all items. */
function once<T>(parse: Parse<T>): Parse<T> {
	let read: { value: T } | undefined;
	return (...entered) => (read ??= { value: parse(...entered) }).value;
}

/** The labels of filters whose expressions have no value, so that they are not applied. */
function findEmptied(fields: Fields, entered: unknown, values: { filters?: unknown }): string[] {
	const { filters: read } = values;
	if (!isObject(entered) || !isObject(read)) return [];
	const isEmptied = (name: string) =>
		String(entered[name]).startsWith('=') && read[name] === undefined;
	const { options = [] } = fields.filters?.property ?? {};
	return options.flatMap((each) =>
		'displayName' in each && isEmptied(each.name) ? [String(each.displayName)] : [],
	);
}

/** Whether a parameter contains an expression, which n8n saves as a string that starts with `=`. */
function hasExpression(parameter: unknown): boolean {
	return JSON.stringify(parameter ?? null).includes('"=');
}

type Unresolved<F extends Fields> = ReadItem<F> & { values: { engagementId?: EngagementChoice } };

/** Looks up the engagements of items together. Items that fail are left out. */
export async function resolveItems<F extends Fields>(
	run: Run,
	items: Array<Unresolved<F>>,
): Promise<Array<ItemOf<F>>> {
	const externalIds = items.flatMap(({ values: { engagementId } }) =>
		isExternal(engagementId) ? [engagementId.externalId] : [],
	);
	const engagements = await findByExternalId(run.client, externalIds);
	const resolved: Array<ItemOf<F>> = [];
	for await (const item of inSlices(items)) {
		try {
			resolved.push(resolve<F>(item, engagements, run));
		} catch (error) {
			run.fail(item.index, error);
		}
	}
	return resolved;
}

function resolve<F extends Fields>(
	{ index, values }: Unresolved<F>,
	engagements: Answers<Engagement[]>,
	run: Run,
): ItemOf<F> {
	const { engagementId: choice } = values;
	const record = isExternal(choice)
		? singleEngagement(run.client, engagements.get(choice.externalId), choice.externalId)
		: undefined;
	const engagementId = isExternal(choice) ? toEngagementId(run.client, record) : choice?.id;
	const own = { ...values, engagementId } as unknown as ItemValues<F>;
	return new Item(run.client, index, own, record);
}

function isExternal(choice: EngagementChoice | undefined) {
	return choice !== undefined && 'externalId' in choice;
}
