/**
 * Matches the refreshes of an engagement with the uploads that they started, by ID: dates are
 * precise only to the second, and clocks are set back. Pure. Invariants: the upload of a refresh was
 * not listed in the look before it was sent, and no other refresh has it.
 */
import type { Upload } from '../../api/records';
import { parseTime } from '../../values/dates';
import { toText } from '../../values/text';

/** An upload in a list; `connector` if the list has only uploads of this connector. */
export interface ListedUpload {
	record: Upload;
	connector?: string;
}

/** A refresh that the service accepted. */
export interface SentRefresh {
	/** The connector's name. */
	connector: string;
	/** How many looks there were when it was sent. */
	looks: number;
	/** How many refreshes of the engagement were sent before. */
	position: number;
	/** Its upload, as last listed. */
	upload?: Upload;
}

/** Whether an upload was made through a connector. */
export type Fits = (listed: ListedUpload, connector: string) => Promise<boolean>;

/** An engagement of which refreshes are sent. */
export class RefreshedEngagement {
	readonly connectors = new Set<string>();
	/** The items whose refreshes have yet to be sent. */
	readonly unsent = new Set<number>();
	/** How often its uploads have been listed. */
	looks = 0;
	/** When that was last, in milliseconds; reset where it may have changed since. */
	lookedAt = -Infinity;
	/** Its uploads cannot be listed together with those of others. */
	isListedAlone = false;
	/** The look that first listed an upload, by the upload's ID. */
	private readonly firstLook = new Map<string, number>();
	private readonly owners = new Map<string, SentRefresh>();
	/**
	 * The refreshes by connector, in the order of sending, and the index of the first without an
	 * upload: removing it from a long array would take time that grows with the array.
	 */
	private readonly sentTo = new Map<string, { refreshes: SentRefresh[]; open: number }>();
	private sent = 0;

	constructor(
		readonly id: number,
		/** Its place among the engagements of the run. */
		readonly position: number,
	) {}

	/** Adds a refresh that was sent after this many looks. */
	addRefresh(connector: string, looks: number): SentRefresh {
		const refresh = { connector, looks, position: this.sent++ };
		const sent = this.sentTo.get(connector) ?? { refreshes: [], open: 0 };
		sent.refreshes.push(refresh);
		this.sentTo.set(connector, sent);
		return refresh;
	}

	/** Adds what a look has listed: the oldest new upload goes to the refresh that was sent first. */
	async addLook(uploads: ListedUpload[], fits: Fits): Promise<void> {
		this.looks++;
		const unclaimed = uploads.filter(({ record }) => {
			const id = idOf(record);
			const owner = this.owners.get(id);
			if (owner !== undefined) owner.upload = record;
			else if (!this.firstLook.has(id)) this.firstLook.set(id, this.looks);
			return owner === undefined;
		});
		for (const upload of oldestFirst(unclaimed)) await this.assign(upload, fits);
	}

	private async assign(upload: ListedUpload, fits: Fits): Promise<void> {
		const id = idOf(upload.record);
		const firstLook = this.firstLook.get(id) ?? 0;
		let first: SentRefresh | undefined;
		// What is not new for the next refresh of a connector is not new for those sent later.
		for (const { refreshes, open } of this.sentTo.values()) {
			const next = refreshes[open];
			if (next === undefined || next.looks >= firstLook) continue;
			const isEarlier = first === undefined || next.position < first.position;
			if (isEarlier && (await fits(upload, next.connector))) first = next;
		}
		if (first === undefined) return;
		const sent = this.sentTo.get(first.connector);
		if (sent !== undefined) sent.open++;
		first.upload = upload.record;
		this.owners.set(id, first);
	}
}

function idOf({ uploadId }: Upload): string {
	return toText(uploadId);
}

/** Sorted by creation; within one second, in the order of the list. */
function oldestFirst(uploads: ListedUpload[]): ListedUpload[] {
	const createdAt = ({ record }: ListedUpload) => parseTime(record.creationDate, 'UTC') ?? 0;
	return uploads.toSorted((one, other) => createdAt(one) - createdAt(other));
}
