/** One execution of the action node: its items, the service, and what the items share. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { listConnectors } from '../api/endpoints';
import type { Connector, Engagement, KindName } from '../api/records';
import type { ConnectorChoice } from '../fields/connector';
import type { EngagementChoice } from '../fields/engagement';
import type { Field, Fields } from '../fields/field';
import { readItems, type InvalidItem, type Item } from '../fields/item';
import type { RequestOptions } from '../fields/options';
import { chunked, type Batch } from '../search/batch';
import { connectorNameOf } from '../search/connectors';
import { engagementsBatch, onlyEngagementId } from '../search/engagementsById';
import { toOutput, type OutputChoice } from '../output/outputMapper';
import { ServiceClient } from '../transport/client';
import type { ApiRequest } from '../transport/request';
import { nodeError } from '../transport/errors';
import { inSlices } from '../values/clock';
import { readList } from '../transport/pages';
import { InputError } from '../values/inputError';
import { mergeDeep } from '../values/objects';
import { isEmpty } from '../values/text';
import { Hints } from './hints';
import type { Memory } from './memory';

/** Every operation has options. */
export type OperationFields = Fields & { options: Field<RequestOptions> };

/** The fields of operations on one engagement, one connector, or both. */
type TargetFields = OperationFields & {
	engagementId?: Field<EngagementChoice>;
	connectorName?: Field<ConnectorChoice>;
};

/** A filter by IDs, which may not fit into one request. */
interface ListFilter {
	/** the query parameter */
	name: string;
	/** its label in the editor */
	field: string;
	ids: readonly string[] | undefined;
	/** maximum number of IDs in a request */
	maxIds: number;
}

export class Execution<F extends OperationFields = OperationFields> {
	readonly hints = new Hints();
	private connectorList: Promise<Connector[]> | undefined;
	private readonly engagements: Batch<Engagement[]>;

	private constructor(
		readonly context: IExecuteFunctions,
		readonly client: ServiceClient,
		/** What this attempt and earlier ones of the same run have written. */
		readonly memory: Memory,
		readonly items: ReadonlyArray<Item<F> | InvalidItem>,
	) {
		this.engagements = engagementsBatch(client);
	}

	/** Reads the parameters of all items, and connects to the service. */
	static async open<F extends OperationFields>(
		context: IExecuteFunctions,
		memory: Memory,
		fields: F,
	): Promise<Execution<F>> {
		const items = await readItems(fields, context, (index) => memory.outcomes.has(index));
		// All items share one pool, so the most cautious one decides.
		const options = items.flatMap((item) => ('error' in item ? [] : [item.values.options]));
		const parallel = options.reduce((least, each) => Math.min(least, each.parallelRequests), 64);
		const { timeout = 60_000 } = options[0] ?? {};
		const client = await ServiceClient.open(context, { parallel, timeout });
		return new Execution(context, client, memory, items);
	}

	/**
	 * Prepares all items, by index, before anything is sent, except those that an earlier attempt has
	 * done. An invalid one stops the execution or, if On Error lets the others continue, throws its
	 * error when its turn comes.
	 */
	async prepare<T>(prepare: (item: Item<F>) => T): Promise<Map<number, () => T>> {
		const prepared = new Map<number, () => T>();
		for await (const item of inSlices(this.items)) {
			if (this.memory.outcomes.has(item.index)) continue;
			try {
				if ('error' in item) throw item.error;
				const one = prepare(item);
				prepared.set(item.index, () => one);
			} catch (error) {
				const { context } = this;
				if (!context.continueOnFail()) throw nodeError(context.getNode(), error, item.index);
				prepared.set(item.index, failing(error));
			}
		}
		return prepared;
	}

	/** A request with the options of an item. @throws if its URL is too long */
	request<T extends IDataObject>(
		{ index, values }: Item<OperationFields>,
		request: ApiRequest<T>,
	): ApiRequest<T> {
		const { timeout, customQuery, customBody } = values.options;
		const own = {
			...request,
			query: { ...request.query, ...customQuery },
			...(request.method === 'POST' && { body: mergeDeep(request.body, customBody) }),
			timeout,
			itemIndex: index,
		};
		this.client.urlOf(own);
		return own;
	}

	/**
	 * A request about the chosen engagement, connector, or both, which are looked up if needed. What
	 * is known of its URL without that is checked at once. Without an engagement, its ID is 0; without
	 * a connector, its name is empty.
	 */
	target<T extends IDataObject>(
		item: Item<TargetFields>,
		build: (engagementId: number, connectorName: string) => ApiRequest<T>,
	) {
		const { engagementId: engagement = { id: 0 }, connectorName: connector = { name: '' } } =
			item.values;
		const idOf = this.engagementId(engagement);
		const known = 'name' in connector ? connector.name : '';
		this.request(item, build('id' in engagement ? engagement.id : 0, known));
		return async () => {
			const engagementId = await idOf();
			const connectorName =
				'name' in connector
					? connector.name
					: connectorNameOf(await this.connectors(), connector.key);
			const request = this.request(item, build(engagementId, connectorName));
			return { engagementId, connectorName, request };
		};
	}

	/**
	 * The requests that together list everything that matches a filter by IDs.
	 * @throws InputError if several requests could not keep the requested order
	 */
	listRequests<T extends IDataObject>(
		item: Item<OperationFields>,
		request: ApiRequest<T>,
		{ name, field, ids, maxIds }: ListFilter,
	): Array<ApiRequest<T>> {
		const { customQuery } = item.values.options;
		// A value in Custom Query is sent once, unchanged.
		if (ids === undefined || Object.hasOwn(customQuery, name)) return [this.request(item, request)];
		const whole = { ...request, query: { [name]: '', ...request.query, ...customQuery } };
		const chunks = chunked(ids, maxIds, this.client.remainingLength(whole));
		const orders = { Sort: request.query?.orderBy, 'orderBy in Custom Query': customQuery.orderBy };
		const [order] = Object.entries(orders).find(([, by]) => !isEmpty(by)) ?? [];
		if (chunks.length > 1 && order !== undefined) {
			throw new InputError(
				`${order} cannot be used with this many entries in ${field}, since they need several requests`,
				`Remove ${order}, or some of the entries in ${field}: the first ${chunks[0]?.length} fit into one request`,
			);
		}
		return chunks.map((chunk) => {
			const query = { [name]: chunk.join(','), ...request.query };
			return this.request(item, { ...request, query });
		});
	}

	/** Maps the service's records to output records. */
	outputMapper(
		choice: OutputChoice,
		kind: KindName,
	): (record: IDataObject, engagementId?: number) => IDataObject {
		const { zone } = this.client;
		const onField = (name: string, isPresent: boolean) => this.hints.recordField(name, isPresent);
		return (record, engagementId) =>
			toOutput(record, kind, choice, { zone, engagementId }, onField);
	}

	/** The ID of the chosen engagement; looks it up if an external ID was entered. */
	private engagementId(choice: EngagementChoice): () => Promise<number> {
		if ('id' in choice) return async () => choice.id;
		const { externalId } = choice;
		const find = this.lookUpEngagements(externalId);
		return async () => onlyEngagementId(this.client, await find(), externalId);
	}

	/** The engagements with an external ID; all items share one lookup. */
	lookUpEngagements(externalId: string): () => Promise<Engagement[]> {
		this.engagements.add(externalId);
		return async () => (await this.engagements.get(externalId)) ?? [];
	}

	/** All connectors, requested once. */
	async connectors(): Promise<Connector[]> {
		this.connectorList ??= readList(this.client, listConnectors());
		return await this.connectorList;
	}
}

/** What throws an error when its turn comes. */
function failing(error: unknown): () => never {
	return () => {
		throw error;
	};
}
