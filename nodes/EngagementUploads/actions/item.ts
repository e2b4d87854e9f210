/** An input item, as operations get it. */
import type { IDataObject } from 'n8n-workflow';
import { kinds, type Engagement, type KindName } from '../service/records';
import type { EngagementChoice } from '../fields/locators';
import type { Fields, ValueOf } from '../fields/field';
import type { Options } from '../fields/options';
import { toOutput, type OutputChoice } from '../service/kind';
import type { ServiceClient } from '../transport/client';
import { mapList } from '../transport/pages';
import type { ApiRequest, Call } from '../transport/request';
import { mergeDeep } from '../values/objects';

/** Values that the items of most operations have. */
interface CommonValues extends Partial<OutputChoice> {
	options?: Options;
	limit?: number;
	engagementId?: number;
}

/** The type of a value after the lookup: an engagement is its ID. */
type LookedUp<T> = T extends EngagementChoice ? number : T;
/** The values of an item, by the names of its fields. */
export type ItemValues<F extends Fields> = CommonValues & {
	[K in keyof F]: LookedUp<ValueOf<F[K]>>;
};
/** An item of an operation with these fields. */
export type ItemOf<F extends Fields> = Item<ItemValues<F>>;

/** An item whose parameters are valid, and whose engagement has been looked up. */
export class Item<V extends CommonValues = CommonValues> {
	constructor(
		private readonly client: ServiceClient,
		readonly index: number,
		readonly values: V,
		/** The engagement's record, if it was looked up by its external ID. */
		readonly engagement?: Engagement,
	) {}

	/** A request with the item's Custom Body, which no other rule looks into. */
	request<T extends IDataObject>(request: ApiRequest<T>): Call<T> {
		const { customBody } = this.values.options ?? {};
		const body = mergeDeep(request.body, customBody);
		return { ...request, ...(request.method === 'POST' && { body }) };
	}

	/** Sends a request with the item's options. */
	async send<T extends IDataObject>(request: ApiRequest<T>): Promise<T> {
		return await this.client.record(this.request(request));
	}

	/** Reads a list with the item's options, up to its Limit. */
	async list<T extends IDataObject>(
		request: ApiRequest<T>,
		kind: KindName,
		matches?: (record: T) => boolean,
	): Promise<IDataObject[]> {
		const { limit, options } = this.values;
		const plan = { pageSize: options?.pageSize, limit, matches };
		return await mapList(this.client, this.request(request), plan, (record) =>
			this.output(record, kind),
		);
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
