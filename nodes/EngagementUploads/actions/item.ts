/** An input item, as operations get it. */
import type { IDataObject } from 'n8n-workflow';
import { kinds, type Engagement, type KindName } from '../service/records';
import type { ConnectorChoice, EngagementChoice } from '../fields/locators';
import type { Field, Fields, ValueOf } from '../fields/field';
import type { RequestOptions } from '../fields/options';
import { toOutput, type OutputChoice } from '../service/kind';
import type { ServiceClient } from '../transport/client';
import type { ApiRequest, Call } from '../transport/request';
import { mergeDeep } from '../values/objects';

/** Every operation has options. */
export type OperationFields = Fields & { options: Field<RequestOptions> };

/** Values that the items of most operations have. */
export interface CommonValues extends Partial<OutputChoice> {
	options: RequestOptions;
	engagementId?: number;
	connectorName?: string;
}

/** The type of a value after the lookup: an engagement is its ID, a connector its name. */
type LookedUp<T> = T extends EngagementChoice ? number : T extends ConnectorChoice ? string : T;
/** The values of an item, by the names of its fields. */
export type ItemValues<F extends Fields> = CommonValues & {
	[K in keyof F]: LookedUp<ValueOf<F[K]>>;
};
/** An item of an operation with these fields. */
export type ItemOf<F extends Fields> = Item<ItemValues<F>>;

/** An item whose parameters are valid, and whose engagement and connector have been looked up. */
export class Item<V extends CommonValues = CommonValues> {
	constructor(
		private readonly client: ServiceClient,
		readonly index: number,
		readonly values: V,
		/** The engagement's record, if it was looked up by its external ID. */
		readonly engagement?: Engagement,
	) {}

	/** A request with the item's options. */
	request<T extends IDataObject>(request: ApiRequest<T>): Call<T> {
		const { timeout, customQuery, customBody } = this.values.options;
		return {
			...request,
			query: { ...request.query, ...customQuery },
			...(request.method === 'POST' && { body: mergeDeep(request.body, customBody) }),
			timeout,
			itemIndex: this.index,
		};
	}

	/** Sends a request with the item's options. */
	async send<T extends IDataObject>(request: ApiRequest<T>): Promise<T> {
		return await this.client.record(this.request(request));
	}

	/** A record in the form that Output selects; `engagementId` is for records that do not name theirs. */
	output(
		record: IDataObject,
		kind: KindName,
		engagementId = this.values.engagementId,
	): IDataObject {
		const { output = 'simplified', fields } = this.values;
		const source = { zone: this.client.zone, engagementId };
		return toOutput(record, kinds[kind], { output, fields }, source);
	}
}
