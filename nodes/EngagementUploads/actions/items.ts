/**
 * Reads the input items: all parameters are validated before anything is sent; then the engagements
 * and connectors that they name are looked up together.
 */
import type { IExecuteFunctions } from 'n8n-workflow';
import type { ConnectorChoice } from '../fields/connector';
import type { EngagementChoice } from '../fields/engagement';
import { conditionsOf, read, type Fields, type Values } from '../fields/field';
import { findConnectorName } from '../lookups/connectors';
import { findByExternalId, onlyEngagementId } from '../lookups/engagements';
import { Item, type ItemOf, type ItemValues, type OperationFields } from './item';
import { inSlices } from '../values/clock';
import type { Run } from './run';

/** The valid parameters of an item. */
export interface ReadItem<F extends Fields> {
	index: number;
	values: Values<F>;
}

/** Reads the parameters of all items, except those that an earlier attempt has done. */
export async function readItems<F extends Fields>(
	context: IExecuteFunctions,
	fields: F,
	isDone: (index: number) => boolean,
	check: (values: Values<F>) => void,
): Promise<{ items: Array<ReadItem<F>>; errors: Map<number, unknown> }> {
	const valuesOf = valuesReader(context, fields);
	const items: Array<ReadItem<F>> = [];
	const errors = new Map<number, unknown>();
	for await (const index of inSlices(context.getInputData().keys())) {
		// An expression of an item that is done may have another value by now, even an invalid one.
		if (isDone(index)) continue;
		try {
			const values = valuesOf(index);
			check(values);
			items.push({ index, values });
		} catch (error) {
			errors.set(index, error);
			if (!context.continueOnFail()) break;
		}
	}
	return { items, errors };
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
	/** In a saved workflow, an expression is a string that starts with `=`. */
	const isConstant = (name: string): boolean =>
		!JSON.stringify(parameters[name] ?? null).includes('"=') &&
		conditionsOf(fields[name]).every(isConstant);
	const constant = Object.fromEntries(Object.entries(fields).filter(([name]) => isConstant(name)));
	let shared: Partial<Values<F>> | undefined;
	return (index) => {
		const value = (name: string) => context.getNodeParameter(name, index, null);
		shared ??= read(constant, { zone, value }) as Partial<Values<F>>;
		return read(fields, { zone, value }, shared);
	};
}

type Choices = { engagementId?: EngagementChoice; connectorName?: ConnectorChoice };

/** Looks up the engagements and connectors of all items, together. Items that fail are left out. */
export async function resolveItems<F extends OperationFields>(
	run: Run,
	items: Array<{ index: number; values: Values<F> & Choices }>,
): Promise<Array<ItemOf<F>>> {
	const externalIds = items.flatMap(({ values: { engagementId: choice } }) =>
		choice !== undefined && 'externalId' in choice ? [choice.externalId] : [],
	);
	const engagements = await findByExternalId(run.client, externalIds);
	const engagementOf = (choice: EngagementChoice | undefined) => {
		if (choice === undefined || 'id' in choice) return { engagementId: choice?.id };
		const found = engagements.get(choice.externalId) ?? [];
		const engagementId = onlyEngagementId(run.client, found, choice.externalId);
		return { engagementId, engagement: found[0] };
	};
	const connectorOf = async (choice: ConnectorChoice | undefined) =>
		choice !== undefined && 'key' in choice
			? findConnectorName(await run.connectors(), choice.key)
			: choice?.name;
	const resolved: Array<ItemOf<F>> = [];
	for await (const { index, values } of inSlices(items)) {
		try {
			const { engagementId, engagement } = engagementOf(values.engagementId);
			const connectorName = await connectorOf(values.connectorName);
			const own = { ...values, engagementId, connectorName } as unknown as ItemValues<F>;
			resolved.push(new Item(run, index, own, engagement));
		} catch (error) {
			run.fail(index, error);
		}
	}
	return resolved;
}
