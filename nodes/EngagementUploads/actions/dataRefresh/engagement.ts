/**
 * Matches the refreshes of an engagement with the uploads that they started, by ID: dates are
 * precise only to the second, and clocks are set back. Pure. Invariants: the upload of a refresh was
 * not listed before the first refresh of the run was sent, and no other refresh has it.
 */
import type { Upload } from '../../api/records';
import type { Options } from '../../fields/options';
import { parseTime } from '../../values/dates';
import { toText } from '../../values/text';

/** How to wait for the upload of a refresh. */
type WaitOptions = Pick<Options, 'waitInterval' | 'waitTimeout'>;

/** A refresh that reached the service. */
export interface SentRefresh {
	engagement: RefreshedEngagement;
	/** The connector's name. */
	connector: string;
	options: WaitOptions;
	/** The service may not have acted on it. */
	isUnknown: boolean;
	/** Its upload, as last listed. */
	upload?: Upload;
}

/** Whether an upload was made through a connector. */
type Fits = (upload: Upload, connector: string) => Promise<boolean>;

/** The new uploads of a connector, and how many more refreshes of it there are. */
interface Queue {
	uploads: Iterable<Upload>;
	missing: number;
}

/** What a run remembers of its refreshes. */
export class RefreshMemory {
	/** Those that are refreshed and waited for, by ID. */
	readonly engagements = new Map<number, RefreshedEngagement>();
	/** From when their uploads are listed, in epoch milliseconds: the same in the whole run. */
	createdFrom: number | undefined;
	/** The refreshes whose uploads are awaited, by the item's index. */
	readonly awaited = new Map<number, SentRefresh>();
}

/** An engagement that is being refreshed. */
export class RefreshedEngagement {
	/** The uploads that were there before, by ID. */
	private readonly before: Set<string>;
	/** The refreshes that started the others, by the upload's ID. */
	private readonly owners = new Map<string, SentRefresh>();
	/** In the order of sending. */
	private readonly sent: SentRefresh[] = [];

	/** @param listed its uploads before any refresh was sent */
	constructor(
		readonly id: number,
		listed: Upload[],
	) {
		this.before = new Set(listed.map(idOf));
	}

	/** Adds the refresh that was sent last. */
	addRefresh(refresh: Omit<SentRefresh, 'engagement'>): SentRefresh {
		const sent = { ...refresh, engagement: this };
		this.sent.push(sent);
		return sent;
	}

	/** Adds what a look has listed: the refresh that was sent first gets the oldest new upload. */
	async addLook(listed: Upload[], fits: Fits): Promise<void> {
		const unclaimed = this.update(oldestFirst(listed));
		const waiting = this.sent.filter(({ upload }) => upload === undefined);
		const queues = await queuesOf(waiting, unclaimed, fits);
		for (const refresh of waiting) {
			const queue = queues.get(refresh.connector);
			// With fewer uploads than refreshes, one whose outcome is unknown has probably started none.
			if (queue === undefined || (refresh.isUnknown && queue.missing-- > 0)) continue;
			for (const upload of queue.uploads) {
				// It may have gone to a refresh of another connector, if it names none.
				if (this.owners.has(idOf(upload))) continue;
				this.owners.set(idOf(upload), refresh);
				refresh.upload = upload;
				break;
			}
		}
	}

	/** Updates the uploads that refreshes have; returns the new ones that none has. */
	private update(listed: Upload[]): Upload[] {
		return listed.filter((upload) => {
			const owner = this.owners.get(idOf(upload));
			if (owner !== undefined) owner.upload = upload;
			return owner === undefined && !this.before.has(idOf(upload));
		});
	}
}

/** By connector; each queue is iterated once, by all refreshes of its connector. */
async function queuesOf(waiting: SentRefresh[], unclaimed: Upload[], fits: Fits) {
	const counts = new Map<string, number>();
	for (const { connector } of waiting) counts.set(connector, (counts.get(connector) ?? 0) + 1);
	const queues = new Map<string, Queue>();
	for (const [connector, count] of counts) {
		const uploads: Upload[] = [];
		for (const upload of unclaimed) if (await fits(upload, connector)) uploads.push(upload);
		queues.set(connector, { uploads: uploads.values(), missing: count - uploads.length });
	}
	return queues;
}

function idOf({ uploadId }: Upload): string {
	return toText(uploadId).toLowerCase();
}

/** Sorted by creation; within one second, in the order of the list. */
function oldestFirst(uploads: Upload[]): Upload[] {
	const createdAt = ({ creationDate }: Upload) => parseTime(creationDate, 'UTC') ?? 0;
	return uploads.toSorted((one, other) => createdAt(one) - createdAt(other));
}
