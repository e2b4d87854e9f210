/** One execution of the action node: its items, the service, and what the items share. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { listConnectors } from '../api/endpoints';
import type { Connector, Engagement } from '../api/records';
import { readConnector } from '../fields/connector';
import { readEngagement } from '../fields/engagement';
import { Item, Parameters } from '../fields/item';
import { splitQuery, type ListFilter } from '../fields/listFilter';
import { withOptions } from '../fields/options';
import { readOutput } from '../fields/output';
import { connectorNameOf } from '../lookups/connectors';
import { engagementsBatch, onlyEngagementId } from '../lookups/engagements';
import { toOutput } from '../output/outputMapper';
import type { ShapeName } from '../output/simplified';
import type { ApiRequest, ServiceClient } from '../transport/client';
import { readList } from '../transport/list';
import { withQuery } from '../transport/url';
import { parseCollection } from '../values/objects';
import { isEmpty } from '../values/text';
import { Hints } from './hints';
import type { Memory } from './memory';

export class Execution {
	readonly items: Item[];
	readonly hints = new Hints();
	private readonly shared = new Map<string, unknown>();

	constructor(
		readonly context: IExecuteFunctions,
		readonly client: ServiceClient,
		/** What this attempt and earlier ones of the same run have written. */
		readonly memory: Memory,
	) {
		const parameters = new Parameters(context);
		this.items = context.getInputData().map((_, index) => new Item(context, parameters, index));
	}

	/** Whether On Error lets the other items continue after one has failed. */
	get continuesOnFail(): boolean {
		return this.context.continueOnFail();
	}

	/** A value that items share, created by the first one that needs it. */
	share<T>(key: string, make: () => T): T {
		if (!this.shared.has(key)) this.shared.set(key, make());
		return this.shared.get(key) as T;
	}

	/** A request with the options of an item. */
	request<T extends IDataObject>(item: Item, request: ApiRequest<T>): ApiRequest<T> {
		return withOptions(request, item.options, item.index);
	}

	/** The requests that together list everything that matches a filter by IDs. */
	listRequests<T extends IDataObject>(
		item: Item,
		request: ApiRequest<T>,
		filter: ListFilter,
	): Array<ApiRequest<T>> {
		const { name } = filter;
		// A value in Custom Query is sent once, unchanged.
		if (Object.hasOwn(item.options.customQuery, name)) return [this.request(item, request)];
		const target = withQuery(request.path, {
			[name]: '',
			...request.query,
			...item.options.customQuery,
		});
		const maxCharacters = this.client.remainingLength(target);
		const queries = item.check(() => splitQuery(request.query ?? {}, filter, maxCharacters));
		return queries.map((query) => this.request(item, { ...request, query }));
	}

	/** Sends an item's request for a single record. */
	async record<T extends IDataObject>(item: Item, request: ApiRequest<T>): Promise<T> {
		return await this.client.record(this.request(item, request));
	}

	/** Reads Output and Fields; the result maps the service's records to output records. */
	outputMapper(
		item: Item,
		shape: ShapeName,
	): (record: IDataObject, engagementId?: number) => IDataObject {
		const output = readOutput(item);
		const { zone } = this.client;
		const onField = (name: string, isPresent: boolean) => this.hints.recordField(name, isPresent);
		return (record, engagementId) =>
			toOutput(record, shape, output, { zone, engagementId }, onField);
	}

	/** Reads the field Engagement; the result looks up the ID if an external ID was entered. */
	engagementId(item: Item): () => Promise<number> {
		const choice = readEngagement(item);
		if ('id' in choice) return async () => choice.id;
		const { externalId } = choice;
		const find = this.lookUpEngagements(externalId);
		return async () => {
			const found = await find();
			return item.check(() => onlyEngagementId(found, externalId));
		};
	}

	/** The engagements with an external ID; all items share one lookup. */
	lookUpEngagements(externalId: string): () => Promise<Engagement[]> {
		const batch = this.share('engagements by external ID', () => engagementsBatch(this.client));
		batch.add(externalId);
		return async () => (await batch.get(externalId)) ?? [];
	}

	/** Reads the field Connector; the result looks up the name if an ID was entered. */
	connectorName(item: Item): () => Promise<string> {
		const choice = readConnector(item);
		if ('name' in choice) return async () => choice.name;
		return async () => {
			const connectors = await this.connectors();
			return item.check(() => connectorNameOf(connectors, choice.id));
		};
	}

	/** All connectors, requested once. */
	async connectors(): Promise<Connector[]> {
		return await this.share(
			'connectors',
			async () => await readList(this.client, listConnectors()),
		);
	}

	/** Adds a hint if no record matches the filters of a list. */
	addListHints(item: Item, count: number): void {
		const isFiltered = item.read('filters', 'Filters', (value, field) =>
			Object.values(parseCollection(value, field)).some((each) => !isEmpty(each)),
		);
		if (count === 0 && isFiltered) this.hints.add('nothingMatched', item.index);
	}
}
