/**
 * Reads the input items: all parameters are validated before anything is sent; then the engagements
 * and connectors that they name are looked up together.
 */
import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import type { ConnectorChoice } from '../fields/connector';
import type { EngagementChoice } from '../fields/engagement';
import { listConditions, read, type Fields, type Values } from '../fields/field';
import type { RequestOptions } from '../fields/options';
import { findConnectorName } from '../lookups/connectors';
import { findByExternalId, onlyEngagementId, type ExternalIdOptions } from '../lookups/engagements';
import { inSlices } from '../values/clock';
import { isObject } from '../values/objects';
import { groupByOptions, Item, type ItemOf, type ItemValues, type OperationFields } from './item';
import type { Run } from './run';

/** The valid parameters of an item. */
export interface ReadItem<F extends Fields> {
	index: number;
	values: Values<F>;
}

/** The items, without those that an earlier attempt has finished, and what is noticed about them. */
export interface ReadItems<F extends Fields> {
	items: Array<ReadItem<F>>;
	/** Of invalid items, by index. */
	errors: Map<number, unknown>;
	/** The labels of filters that an expression left empty, so that they match everything. */
	emptyFilters: Set<string>;
}

/** Reads the parameters of all items, except those that an earlier attempt has done. */
export async function readItems<F extends Fields>(
	context: IExecuteFunctions,
	fields: F,
	isDone: (index: number) => boolean,
	check: (values: Values<F>) => void,
): Promise<ReadItems<F>> {
	const { parameters } = context.getNode();
	const readValues = valuesReader(context, fields);
	const items: Array<ReadItem<F>> = [];
	const errors = new Map<number, unknown>();
	const emptyFilters = new Set<string>();
	for await (const index of inSlices(context.getInputData().keys())) {
		// An expression of an item that is done may have another value by now, even an invalid one.
		if (isDone(index)) continue;
		try {
			const values = readValues(index);
			check(values);
			items.push({ index, values });
			for (const label of findEmptyFilters(parameters, fields, values)) emptyFilters.add(label);
		} catch (error) {
			errors.set(index, error);
			if (!context.continueOnFail()) break;
		}
	}
	return { items, errors, emptyFilters };
}

/**
 * Returns the validated values of an item. Parameters without an expression are the same for all
 * items, so they are read once.
 */
function valuesReader<F extends Fields>(
	context: IExecuteFunctions,
	fields: F,
): (index: number) => Values<F> {
	const { parameters } = context.getNode();
	const zone = context.getTimezone();
	const isConstant = (name: string): boolean =>
		!hasExpression(parameters[name]) && listConditions(fields[name]).every(isConstant);
	const constant = Object.fromEntries(Object.entries(fields).filter(([name]) => isConstant(name)));
	let shared: Partial<Values<F>> | undefined;
	return (index) => {
		const value = (name: string) => context.getNodeParameter(name, index, null);
		shared ??= read(constant, { zone, value }) as Partial<Values<F>>;
		return read(fields, { zone, value }, shared);
	};
}

/** Whether a parameter contains an expression: in a saved workflow, a string that starts with `=`. */
function hasExpression(parameter: unknown): boolean {
	return JSON.stringify(parameter ?? null).includes('"=');
}

/** The parameters that narrow down a list: a collection, or one field. */
const FILTERS = ['dataStatuses', 'filters'];

/** The labels of the filters that an expression left empty. */
function findEmptyFilters<F extends Fields>(
	parameters: INodeParameters,
	fields: F,
	values: Values<F>,
): string[] {
	return FILTERS.flatMap((name) => {
		const { displayName: label = name, options = [] } = fields[name]?.property ?? {};
		const entered: unknown = parameters[name];
		const value: unknown = values[name];
		if (!isObject(entered) || !isObject(value))
			return hasExpression(entered) && !isFiltered(value) ? [label] : [];
		return options.flatMap((option) => {
			const isEmpty = value[option.name] === undefined && hasExpression(entered[option.name]);
			return isEmpty && 'displayName' in option ? [option.displayName] : [];
		});
	});
}

/** Whether any filter is set. */
export function isFiltered(filters: unknown): boolean {
	return Object.values(filters ?? {}).some((each) => each !== undefined);
}

/** All external IDs of a run, also those of items that an earlier attempt has done. */
export class ExternalIds extends Set<string> {}

type Unresolved<F extends Fields> = ReadItem<F> & {
	values: {
		engagementId?: EngagementChoice;
		connectorName?: ConnectorChoice;
		options: RequestOptions;
	};
};

/**
 * Looks up the engagements and connectors of all items, together. Items that fail are left out. If the
 * lookup is all that an operation requests, it is sent with the items' options.
 */
export async function resolveItems<F extends OperationFields>(
	run: Run,
	items: Array<Unresolved<F>>,
	isAllRequested: boolean,
): Promise<Array<ItemOf<F>>> {
	const spellings = run.memory.of(ExternalIds);
	for (const externalId of items.flatMap(listExternalIds)) spellings.add(externalId);
	if (!isAllRequested) return await resolveGroup(run, items, { spellings });
	let resolved: Array<ItemOf<F>> = [];
	for (const { items: group, options } of groupByOptions(items)) {
		const { customQuery: query, timeout } = options;
		const lookup = { spellings, query, timeout };
		resolved = resolved.concat(await resolveGroup<F>(run, group, lookup));
	}
	return resolved;
}

async function resolveGroup<F extends OperationFields>(
	run: Run,
	items: Array<Unresolved<F>>,
	options: ExternalIdOptions,
): Promise<Array<ItemOf<F>>> {
	const externalIds = items.flatMap(listExternalIds);
	const engagements = await findByExternalId(run.client, externalIds, options);
	const resolved: Array<ItemOf<F>> = [];
	for await (const { index, values } of inSlices(items)) {
		try {
			const { engagementId: choice } = values;
			const found = isExternal(choice) ? (engagements.get(choice.externalId) ?? []) : [];
			const engagementId = isExternal(choice)
				? onlyEngagementId(run.client, found, choice.externalId)
				: choice?.id;
			const connectorName = await resolveConnector(values.connectorName, run);
			const own = { ...values, engagementId, connectorName } as unknown as ItemValues<F>;
			resolved.push(new Item(run, index, own, found[0]));
		} catch (error) {
			run.fail(index, error);
		}
	}
	return resolved;
}

function listExternalIds({ values: { engagementId } }: Unresolved<Fields>): string[] {
	return isExternal(engagementId) ? [engagementId.externalId] : [];
}

function isExternal(choice: EngagementChoice | undefined) {
	return choice !== undefined && 'externalId' in choice;
}

async function resolveConnector(
	choice: ConnectorChoice | undefined,
	run: Run,
): Promise<string | undefined> {
	if (choice === undefined || 'name' in choice) return choice?.name;
	return findConnectorName(await run.connectors(), choice.key);
}
