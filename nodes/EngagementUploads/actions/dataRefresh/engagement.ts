/**
 * Matches the refreshes of an engagement with the uploads that they started, by ID: dates are
 * precise only to the second, and clocks are set back. Pure. Invariants: the upload of a refresh was
 * not listed in the look before it was sent, and no other refresh has it.
 */
import type { Upload } from '../../api/records';
import type { Options } from '../../fields/options';
import { parseTime } from '../../values/dates';
import { toText } from '../../values/text';

/** An upload in a list; `connector` if the list has only uploads of this connector. */
export interface ListedUpload {
	record: Upload;
	connector?: string;
}

/** How to wait for the upload of a refresh. */
type WaitOptions = Pick<Options, 'waitInterval' | 'waitTimeout'>;

/** A refresh that the service accepted. */
export interface SentRefresh {
	engagement: RefreshedEngagement;
	/** The connector's name. */
	connector: string;
	options: WaitOptions;
	/** How many looks there were when it was sent. */
	looks: number;
	/** Its upload, as last listed. */
	upload?: Upload;
}

/** Whether an upload was made through a connector. */
type Fits = (listed: ListedUpload, connector: string) => Promise<boolean>;

/** An engagement that is being refreshed. */
export class RefreshedEngagement {
	readonly connectors = new Set<string>();
	/** How often its uploads have been listed. */
	looks = 0;
	/** When they were last listed, in milliseconds; reset where they may have changed since. */
	lookedAt = -Infinity;
	/** How often they had been listed when its latest refresh was sent. */
	baseline = 0;
	/** Its uploads cannot be listed together with those of others. */
	isListedAlone = false;
	/** The look that first listed an upload, and the refresh that made it, by the upload's ID. */
	private readonly uploads = new Map<string, { look: number; owner?: SentRefresh }>();
	/** In the order of sending. */
	private readonly sent: SentRefresh[] = [];

	constructor(readonly id: number) {}

	/** Adds the refresh that was sent last. */
	addRefresh(connector: string, options: WaitOptions): SentRefresh {
		const refresh = { engagement: this, connector, options, looks: this.baseline };
		this.sent.push(refresh);
		return refresh;
	}

	/** Adds what a look has listed: the refresh that was sent first gets the oldest new upload. */
	async addLook(listed: ListedUpload[], fits: Fits): Promise<void> {
		this.looks++;
		const inOrder = oldestFirst(listed).map((upload) => {
			const id = toText(upload.record.uploadId).toLowerCase();
			const known = this.uploads.get(id) ?? { look: this.looks };
			this.uploads.set(id, known);
			if (known.owner !== undefined) known.owner.upload = upload.record;
			return { upload, known };
		});
		const rest = new Map(this.sent.map(({ connector }) => [connector, inOrder.values()]));
		for (const refresh of this.sent) {
			if (refresh.upload !== undefined) continue;
			// What is not new for a refresh of a connector is not new for those sent later.
			for (const { upload, known } of rest.get(refresh.connector) ?? []) {
				if (known.owner !== undefined || known.look <= refresh.looks) continue;
				if (!(await fits(upload, refresh.connector))) continue;
				known.owner = refresh;
				refresh.upload = upload.record;
				break;
			}
		}
	}
}

/** Sorted by creation; within one second, in the order of the list. */
function oldestFirst(uploads: ListedUpload[]): ListedUpload[] {
	const createdAt = ({ record }: ListedUpload) => parseTime(record.creationDate, 'UTC') ?? 0;
	return uploads.toSorted((one, other) => createdAt(one) - createdAt(other));
}
