/**
 * Lists the uploads of refreshed engagements, many engagements per request. Invariant: the look
 * before the first refresh and those while waiting are the same request, so that what the first one
 * did not list is new.
 */
import { listConnectors, listUploads, MAX_ENGAGEMENT_IDS } from '../../api/endpoints';
import type { Upload } from '../../api/records';
import { Batch } from '../../search/batch';
import type { ServiceClient } from '../../transport/client';
import { inSlices } from '../../values/clock';
import { readList } from '../../transport/pages';
import type { Call } from '../../transport/request';
import { formatFilterTime } from '../../values/dates';
import { folded, isAbsent, toText } from '../../values/text';
import { RefreshedEngagement, type RefreshMemory } from './engagement';

const HOUR = 3_600_000;
/** How far back uploads are listed: more than any difference between time zones. */
const WINDOW = 48 * HOUR;
/** If the local clock is further from the service's, the first look is repeated. */
const MAX_CLOCK_DIFFERENCE = 12 * HOUR;
const PAGE_SIZE = 500;

/** Why the uploads of engagements could not be listed, by the engagement's ID. */
export type LookErrors = ReadonlyMap<number, unknown>;

/** The uploads of an engagement, or why they could not be listed. */
type Listed = { uploads: Upload[] } | { error: unknown };

export class UploadLooks {
	private titles: Set<string> | undefined;

	constructor(
		private readonly client: ServiceClient,
		private readonly memory: RefreshMemory,
	) {}

	/** Lists what is there before the first refresh of these engagements is sent. */
	async lookAhead(ids: Iterable<number>): Promise<LookErrors> {
		const { client, memory } = this;
		const { engagements } = memory;
		const added = [...ids].filter((id) => !engagements.has(id));
		memory.createdFrom ??= client.serviceTime - WINDOW;
		let lists = await this.list(added, true);
		// The first response may be the first to tell the service's time.
		const stated = client.serviceTime - WINDOW;
		const difference = Math.abs(stated - memory.createdFrom);
		if (engagements.size === 0 && difference > MAX_CLOCK_DIFFERENCE) {
			memory.createdFrom = stated;
			lists = await this.list(added, true);
		}
		const errors = new Map<number, unknown>();
		for await (const [id, listed] of inSlices(lists)) {
			if ('error' in listed) errors.set(id, listed.error);
			else engagements.set(id, new RefreshedEngagement(id, listed.uploads));
		}
		return errors;
	}

	/** Lists the uploads of engagements, and gives the new ones to their refreshes. */
	async look(engagements: Iterable<RefreshedEngagement>): Promise<LookErrors> {
		const byId = new Map([...engagements].map((each) => [each.id, each]));
		const errors = new Map<number, unknown>();
		// If they could not be listed, each look tries again.
		if (this.titles?.size === 0) this.titles = undefined;
		for await (const [id, listed] of inSlices(await this.list([...byId.keys()], false))) {
			if ('error' in listed) errors.set(id, listed.error);
			else await byId.get(id)?.addLook(listed.uploads, async (...pair) => await this.fits(...pair));
		}
		return errors;
	}

	private async list(ids: number[], isAhead: boolean): Promise<Map<number, Listed>> {
		const batch = new Batch<Upload[]>({
			fetch: async (keys, retries) => await this.fetch(keys, isAhead, retries),
			maxKeys: MAX_ENGAGEMENT_IDS,
			maxCharacters: this.client.remainingLength(this.request([], isAhead)),
		});
		for (const id of ids) batch.add(String(id));
		const lists = new Map<number, Listed>();
		for await (const id of inSlices(ids)) {
			const listed = batch.get(String(id)).then(
				(uploads = []) => ({ uploads }),
				(error: unknown) => ({ error }),
			);
			lists.set(id, await listed);
		}
		return lists;
	}

	private async fetch(
		ids: string[],
		isAhead: boolean,
		retries: Pick<Call, 'retriesServerErrors'>,
	): Promise<Map<string, Upload[]>> {
		const lists = new Map(ids.map((id): [string, Upload[]] => [id, []]));
		const only = ids.length === 1 ? ids[0] : undefined;
		// The service may ignore the filter by engagement.
		const matches = (record: Upload) => {
			lists.get(toText(record.engagementId ?? only))?.push(record);
			return false;
		};
		const request = { ...this.request(ids, isAhead), ...retries };
		await readList(this.client, request, { pageSize: PAGE_SIZE, matches });
		return lists;
	}

	private request(ids: string[], isAhead: boolean) {
		const createdDateFrom = formatFilterTime(this.memory.createdFrom ?? 0, this.client.zone);
		const whose = ids.length === 1 ? `engagement ${ids[0]}` : 'the engagements';
		const purpose = isAhead
			? `look for earlier uploads of ${whose}, so no refresh was sent`
			: `look for the new uploads of ${whose}`;
		return listUploads({ engagementId: ids.join(','), createdDateFrom }, purpose);
	}

	/** Whether an upload was made through a connector; records contain its name or its title. */
	private async fits({ connectorName }: Upload, wanted: string): Promise<boolean> {
		const [used, name] = [connectorName, wanted].map(folded);
		if (isAbsent(connectorName) || used === name) return true;
		this.titles ??= await this.connectorTitles();
		return this.titles.has(`${name}\n${used}`);
	}

	/**
	 * The name of each connector with its title, and the reverse, since either may be entered. If they
	 * cannot be listed, names must do.
	 */
	private async connectorTitles(): Promise<Set<string>> {
		const connectors = await readList(this.client, listConnectors()).catch(() => []);
		const pairs = connectors.map(({ name, title }) => [folded(name), folded(title)]);
		return new Set(pairs.flatMap((pair) => [pair.join('\n'), pair.toReversed().join('\n')]));
	}
}
