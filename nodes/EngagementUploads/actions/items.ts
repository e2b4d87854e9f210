/**
 * Reads the input items: first the parameters of all of them, before anything is sent; then the engagements
 * and connectors that they name, which are looked up together.
 */
import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import type { ConnectorChoice, EngagementChoice } from '../fields/locators';
import { listConditions, readFields, type Fields, type Values } from '../fields/field';
import type { RequestOptions } from '../fields/options';
import { findConnectorName } from '../lookups/connectors';
import { findByExternalId, singleEngagementId } from '../lookups/engagements';
import type { Answers } from '../lookups/lookUp';
import type { Engagement } from '../service/records';
import { inSlices } from '../values/work';
import { enteredIn, isObject } from '../values/objects';
import { Item, type ItemOf, type ItemValues, type OperationFields } from './item';
import type { Run } from './run';

/** An item whose parameters are valid. */
export interface ReadItem<F extends Fields> {
	index: number;
	values: Values<F>;
}

/** What the user entered for all items. */
interface Entered<F extends Fields> {
	items: Array<ReadItem<F>>;
	/** The errors of the other items, by index. */
	errors: Map<number, unknown>;
	/** The labels of filters that match everything because their expression was empty. */
	emptyFilters: Set<string>;
	/** The engagements that are named by external ID. */
	externalIds: string[];
}

/** Reads the parameters of all items, except those that an earlier attempt has done. */
export async function readItems<F extends Fields>(
	context: IExecuteFunctions,
	fields: F,
	isDone: (index: number) => boolean,
	check: (values: Values<F>, isExpression: (name: keyof F & string) => boolean) => void,
): Promise<Entered<F>> {
	const { parameters } = context.getNode();
	const readValues = valuesReader(context, fields);
	const items: Array<ReadItem<F>> = [];
	const errors = new Map<number, unknown>();
	for await (const index of inSlices(context.getInputData().keys())) {
		// By now, its expressions may have other values, even invalid ones.
		if (isDone(index)) continue;
		try {
			const values = readValues(index);
			check(values, (name) => hasExpression(parameters[name]));
			items.push({ index, values });
		} catch (error) {
			errors.set(index, error);
			if (!context.continueOnFail()) break;
		}
	}
	const emptyFilters = findEmptyFilters(parameters, fields, items);
	return { items, errors, emptyFilters, externalIds: items.flatMap(listSpellings) };
}

/**
 * Reads the values of an item. Parameters without an expression are read once for all items: n8n takes longer
 * to read a parameter than the node to use it, and long lists are checked only once.
 */
function valuesReader<F extends Fields>(
	context: IExecuteFunctions,
	fields: F,
): (index: number) => Values<F> {
	const { parameters } = context.getNode();
	const zone = context.getTimezone();
	const isTool = isToolCall(context);
	const isConstant = (name: string): boolean =>
		!hasExpression(parameters[name]) && listConditions(fields[name]).every(isConstant);
	const constant = Object.fromEntries(Object.entries(fields).filter(([name]) => isConstant(name)));
	let shared: Partial<Values<F>> | undefined;
	return (index) => {
		const value = (name: string) =>
			enteredIn(parameters, name, context.getNodeParameter(name, index, null) ?? null);
		const source = { zone, value, isToolCall: isTool };
		shared ??= readFields(constant, source) as Partial<Values<F>>;
		return readFields(fields, source, shared);
	};
}

/** Whether a parameter contains an expression, which n8n saves as a string that starts with `=`. */
export function hasExpression(parameter: unknown): boolean {
	return JSON.stringify(parameter ?? null).includes('"=');
}

/** For an agent, n8n runs a node as its tool variant; or, as part of the agent, with the agent's data. */
export function isToolCall(context: IExecuteFunctions): boolean {
	const { name, type } = context.getNode();
	return type.endsWith('Tool') || context.getExecuteData().node.name !== name;
}

/** The parameters that narrow down a list. */
const FILTERS = ['dataStatuses', 'filters'];

function findEmptyFilters<F extends Fields>(
	parameters: INodeParameters,
	fields: F,
	items: Array<ReadItem<F>>,
): Set<string> {
	const empty = new Set<string>();
	for (const name of FILTERS.filter((each) => hasExpression(parameters[each]))) {
		const field = fields[name];
		if (field === undefined) continue;
		const { displayName: label, options = [] } = field.property;
		const entered: unknown = parameters[name];
		for (const { values } of items) {
			const value: unknown = values[name];
			if (value === undefined) empty.add(label);
			if (!isObject(entered) || !isObject(value)) continue;
			for (const option of options)
				if (value[option.name] === undefined && hasExpression(entered[option.name]))
					empty.add('displayName' in option ? option.displayName : option.name);
		}
	}
	return empty;
}

type Unresolved<F extends Fields> = ReadItem<F> & {
	values: {
		engagementId?: EngagementChoice;
		connectorName?: ConnectorChoice;
		options: RequestOptions;
	};
};

/** Looks up the engagements and connectors of items together. Items that fail are left out. */
export async function resolveItems<F extends OperationFields>(
	run: Run,
	items: Array<Unresolved<F>>,
	{ customQuery: query, timeout }: Partial<RequestOptions> = {},
): Promise<Array<ItemOf<F>>> {
	const lookup = { spellings: run.memory.externalIds, query, timeout };
	const ids = items.flatMap(listExternalIds);
	const engagements = await findByExternalId(run.client, ids, lookup);
	const resolved: Array<ItemOf<F>> = [];
	for await (const item of inSlices(items)) {
		try {
			resolved.push(await resolve<F>(item, engagements, run));
		} catch (error) {
			run.fail(item.index, error);
		}
	}
	return resolved;
}

async function resolve<F extends OperationFields>(
	{ index, values }: Unresolved<F>,
	engagements: Answers<Engagement[]>,
	run: Run,
): Promise<ItemOf<F>> {
	const { engagementId: choice, connectorName: connector } = values;
	const found = isExternal(choice) ? (engagements.get(choice.externalId) ?? []) : [];
	const engagementId = isExternal(choice)
		? singleEngagementId(run.client, found, choice.externalId)
		: choice?.id;
	const connectorName =
		connector !== undefined && 'key' in connector
			? findConnectorName(await run.connectors(), connector.key)
			: connector?.name;
	const own = { ...values, engagementId, connectorName } as unknown as ItemValues<F>;
	return new Item(run.client, index, own, found[0]);
}

/** What an item says about the engagements that it is about. */
interface Named {
	values: { engagementId?: EngagementChoice; externalEngagementIds?: string[] };
}

function listSpellings(item: Named): string[] {
	return [...listExternalIds(item), ...(item.values.externalEngagementIds ?? [])];
}

function listExternalIds({ values: { engagementId } }: Named): string[] {
	return isExternal(engagementId) ? [engagementId.externalId] : [];
}

function isExternal(choice: EngagementChoice | undefined) {
	return choice !== undefined && 'externalId' in choice;
}
