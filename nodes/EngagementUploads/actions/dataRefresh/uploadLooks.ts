/**
 * Lists the uploads of refreshed engagements, many engagements per request. Invariant: a look at an
 * engagement is at most `MAX_AGE` old when a refresh of it is sent.
 */
import {
	listConnectors,
	listConnectorUploads,
	listUploads,
	MAX_ENGAGEMENT_IDS,
} from '../../api/endpoints';
import { Batch } from '../../search/batch';
import type { ApiRequest, Knowledge } from '../../transport/request';
import { isRejected } from '../../transport/failures/errors';
import { systemClock } from '../../transport/http/pool';
import { readList } from '../../transport/lists/list';
import { formatFilterTime } from '../../values/dates';
import { folded, isAbsent, toText } from '../../values/text';
import type { Execution } from '../execution';
import type { ListedUpload, RefreshedEngagement } from './engagement';

const MAX_AGE = 10_000;
const HOUR = 3_600_000;
/** How far back uploads are listed: more than any difference between time zones. */
const WINDOW = 48 * HOUR;
/** If the local clock is further from the service's, the first look is repeated. */
const MAX_CLOCK_DIFFERENCE = 12 * HOUR;
const PAGE_SIZE = 500;

/** The service ignores the filter by engagement. */
class FilterIgnored extends Error {}

/** Why the uploads of engagements could not be listed. */
type LookErrors = Map<RefreshedEngagement, unknown>;

export class UploadLooks {
	/** The looks that are under way. */
	private readonly current = new Map<RefreshedEngagement, Promise<LookErrors>>();
	/** From when the first looks list uploads. */
	private start: number | undefined;
	private titles: Promise<Set<string>> | undefined;

	constructor(private readonly execution: Pick<Execution, 'client' | 'memory'>) {}

	/** What is known of an engagement's uploads when a refresh of it is sent. */
	knowledgeOf(engagement: RefreshedEngagement): Knowledge {
		return {
			isCurrent: () => {
				engagement.baseline = engagement.looks;
				return systemClock.now() - engagement.lookedAt <= MAX_AGE;
			},
			update: async () => {
				const errors = await (this.current.get(engagement) ?? this.lookAhead(engagement));
				if (errors.has(engagement)) throw errors.get(engagement);
			},
		};
	}

	/** Lists the uploads of engagements. */
	async look(engagements: RefreshedEngagement[]): Promise<LookErrors> {
		const { client } = this.execution;
		const batch = new Batch<ListedUpload[]>({
			fetch: async (ids, retries) => await this.listTogether(ids, retries),
			maxKeys: MAX_ENGAGEMENT_IDS,
			maxCharacters: client.remainingLength(this.request([], 0)),
		});
		for (const { id, isListedAlone } of engagements) if (!isListedAlone) batch.add(String(id));
		const errors: LookErrors = new Map();
		const looks = engagements.map(async (engagement) => {
			try {
				const uploads = await this.list(engagement, batch);
				engagement.lookedAt = systemClock.now();
				await engagement.addLook(uploads, async (...given) => await this.fits(...given));
			} catch (error) {
				errors.set(engagement, error);
			}
		});
		await Promise.all(looks);
		return errors;
	}

	/** Looks at an engagement together with those that come next. */
	private async lookAhead(engagement: RefreshedEngagement): Promise<LookErrors> {
		const all = [...this.execution.memory.refreshed.values()];
		const at = all.indexOf(engagement);
		const next = all.slice(at, at + MAX_ENGAGEMENT_IDS).filter((each) => !this.current.has(each));
		const look = this.look(next);
		for (const each of next) this.current.set(each, look);
		const errors = await look;
		for (const each of next) this.current.delete(each);
		return errors;
	}

	private async list(
		engagement: RefreshedEngagement,
		batch: Batch<ListedUpload[]>,
	): Promise<ListedUpload[]> {
		try {
			if (!engagement.isListedAlone) return (await batch.get(String(engagement.id))) ?? [];
		} catch (error) {
			// Later, the other list would show uploads of which the first look says nothing.
			const isReplaceable = error instanceof FilterIgnored || isRejected(error);
			if (engagement.looks > 0 || !isReplaceable) return await Promise.reject(error as Error);
			engagement.isListedAlone = true;
		}
		const { client } = this.execution;
		const purpose = `look for the uploads of engagement ${engagement.id}`;
		const lists = [...engagement.connectors].map(async (connector) => {
			const request = listConnectorUploads(engagement.id, connector, undefined, purpose);
			const options = { pageSize: PAGE_SIZE };
			const records = await readList(client, { ...request, isFollowUp: true }, options);
			return records.map((record) => ({ record, connector }));
		});
		return (await Promise.all(lists)).flat();
	}

	private async listTogether(
		ids: string[],
		retries: Pick<ApiRequest, 'isTriedOnce'>,
	): Promise<Map<string, ListedUpload[]>> {
		const { client, memory } = this.execution;
		const isFirst = ids.every((id) => memory.refreshed.get(Number(id))?.looks === 0);
		for (;;) {
			const from = memory.createdFrom ?? (this.start ??= client.serviceTime - WINDOW);
			const lists = new Map(ids.map((id): [string, ListedUpload[]] => [id, []]));
			const matches = (record: ListedUpload['record']) => {
				const only = ids.length === 1 ? ids[0] : undefined;
				const list = lists.get(toText(record.engagementId ?? only));
				if (list === undefined && isFirst) throw new FilterIgnored();
				return list !== undefined && list.push({ record }) > 0;
			};
			const request = { ...this.request(ids, from), ...retries };
			await readList(client, request, { pageSize: PAGE_SIZE, matches });
			// The first response may be the first to tell the service's time.
			const stated = client.serviceTime - WINDOW;
			memory.createdFrom ??= Math.abs(stated - from) > MAX_CLOCK_DIFFERENCE ? stated : from;
			if (memory.createdFrom === from) return lists;
		}
	}

	private request(ids: string[], from: number) {
		const createdDateFrom = formatFilterTime(from, this.execution.client.zone);
		const query = { engagementId: ids.join(','), createdDateFrom };
		const whose = ids.length === 1 ? `engagement ${ids[0]}` : 'the refreshed engagements';
		return { ...listUploads(query, `look for the uploads of ${whose}`), isFollowUp: true };
	}

	/** Whether an upload was made through a connector; records contain its name or its title. */
	private async fits({ record, connector }: ListedUpload, wanted: string): Promise<boolean> {
		if (connector !== undefined) return connector === wanted;
		const { connectorName } = record;
		const [used, name] = [connectorName, wanted].map(folded);
		if (isAbsent(connectorName) || used === name) return true;
		this.titles ??= this.connectorTitles();
		return (await this.titles).has(`${name}\n${used}`);
	}

	/** The name of each connector with its title; until the connectors are listed, names must do. */
	private async connectorTitles(): Promise<Set<string>> {
		const connectors = await readList(this.execution.client, listConnectors()).catch(() => {
			this.titles = undefined;
			return [];
		});
		return new Set(connectors.map(({ name, title }) => `${folded(name)}\n${folded(title)}`));
	}
}
