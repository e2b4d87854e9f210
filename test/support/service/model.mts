import { Clock } from './clock.mts';
import { Collection, Uploads } from './collection.mts';
import { uuidFrom } from './random.mts';
import {
	usualConnector,
	usualEngagement,
	usualUpload,
	usualUser,
	type Connector,
	type Engagement,
	type Person,
	type Upload,
	type User,
} from './records.mts';
import type { Settings } from './settings.mts';
import { isOpen, STEP_NAMES } from './workflow.mts';

/** How an upload ends, if it does. */
type UploadOutcome = 'completes' | 'fails' | 'sticks';

/** The outcome of a data refresh. */
type RefreshOutcome = UploadOutcome | 'actionRequired';

/** The service's data in memory, and what happens to it as its clock runs. */
export class ServiceModel {
	readonly clock = new Clock();
	readonly engagements = new Collection<number, Engagement>();
	readonly uploads = new Uploads();
	readonly connectors: Connector[] = [];
	readonly users: User[] = [];
	/** The outcome of an engagement's refreshes, whatever access the customer has granted. */
	readonly refreshOutcomes = new Map<number, RefreshOutcome>();
	/**
	 * The pages where customers share data, by the ID of the link. The upload goes on once the page is opened;
	 * later, nothing happens.
	 */
	readonly links = new Map<string, { engagementId: number; open: () => void }>();
	/** Of uploads, as long as nothing changes: a list is read page by page. */
	readonly lists = new Map<string, Upload[]>();
	private freeId = 1;

	constructor(private readonly settings: Settings) {}

	/** The service's current time, in epoch ms. */
	get now(): number {
		return this.clock.time;
	}

	addConnector(given: Partial<Connector> = {}): Connector {
		const usual = usualConnector(given.id ?? String(this.connectors.length + 1));
		const connector = { ...usual, isRefreshable: given.type !== '1', ...given };
		this.connectors.push(connector);
		return connector;
	}

	findConnector(name: string): Connector | undefined {
		return this.connectors.find((connector) => connector.name === name);
	}

	addUser(given: Partial<User> = {}): User {
		const user = { ...usualUser(this.users.length + 1, this.now), ...given };
		this.users.push(user);
		return user;
	}

	/** Invites a customer's contact. */
	addSme({ firstName, lastName, email }: Person, given: Partial<User> = {}): User {
		const invited = { status: 0, statusCode: 'INVITING', title: 'Director', profiles: [] };
		return this.addUser({ firstName, lastName, email, ...invited, userType: 'SME', ...given });
	}

	/** The users who are no customers. */
	get staff(): User[] {
		return this.users.filter(({ userType }) => userType !== 'SME');
	}

	/** Adds an engagement: by default, one of the first member of staff, with the first connector. */
	addEngagement(given: Partial<Engagement> = {}): Engagement {
		const id = given.id ?? this.freeId;
		this.freeId = Math.max(this.freeId, id + 1);
		return this.engagements.add(id, {
			...usualEngagement(id, this.now, this.staff[0] ?? usualUser(1, this.now)),
			connectorId: this.connectors[0]?.id ?? null,
			...given,
		});
	}

	updateEngagement(engagementId: number, patch: Partial<Engagement>): Engagement {
		this.lists.clear();
		return Object.assign(this.engagements.existing(engagementId), patch);
	}

	/** The newest upload of an engagement, or the newest that counts. */
	lastUpload(engagementId: number, counts = (_: Upload) => true): Upload | undefined {
		return this.uploads
			.of(engagementId)
			.filter(counts)
			.sort((one, other) => one.createdAt - other.createdAt)
			.at(-1);
	}

	/** Starts an upload, which completes after `settings.uploadDurationMs` (Infinity: never). */
	startUpload(
		engagementId: number,
		connectorName: string,
		uploadType = 'FINANCIALS',
		outcome: UploadOutcome = 'completes',
	): Upload {
		const upload = this.addUpload({ engagementId, connectorName, uploadType });
		this.progress(upload, outcome);
		return upload;
	}

	/** Requests data from a customer. @returns the ID of the link to open */
	requestUpload(engagementId: number, connectorName: string, uploadType = 'FINANCIALS'): string {
		const upload = this.addUpload({ engagementId, connectorName, uploadType, startedAt: null });
		const open = () => {
			if (upload.startedAt !== null) return;
			this.updateUpload(upload.uploadId, { startedAt: this.now, lastUpdate: this.now });
			this.progress(upload, 'completes');
		};
		const id = uuidFrom(0x11e40000 + this.links.size);
		this.links.set(id, { engagementId, open });
		return id;
	}

	/** Completes an upload now, or at the given time (epoch ms). The first one sets up a new engagement. */
	completeUpload(uploadId: string, at = this.now): Upload {
		const upload = this.updateUpload(uploadId, {
			status: 'COMPLETED',
			completedAt: at,
			lastUpdate: at,
			finishedSteps: STEP_NAMES.length,
		});
		const engagement = this.engagements.existing(upload.engagementId);
		const connector = this.findConnector(upload.connectorName);
		if (engagement.connectorId === null && connector !== undefined)
			Object.assign(engagement, {
				connectorId: connector.id,
				dataRefreshEnabled: connector.isRefreshable,
			});
		return upload;
	}

	/** Ends an upload unsuccessfully, without a completion date. */
	failUpload(uploadId: string, at = this.now): Upload {
		return this.updateUpload(uploadId, { status: 'FAILED', lastUpdate: at });
	}

	/** Adds an upload that changes no more: by default, one of the first engagement that starts now. */
	addUpload(given: Partial<Upload> = {}): Upload {
		const engagement = this.engagements.existing(
			given.engagementId ?? (this.engagements.all[0] ?? this.addEngagement()).id,
		);
		const { createdAt = this.now, connectorName = this.usualConnector(engagement).name } = given;
		const usual = usualUpload(this.uploads.added, createdAt, engagement.id, connectorName);
		const upload = { ...usual, ...given };
		this.lists.clear();
		return this.uploads.add(upload.uploadId, upload);
	}

	/** Adds a completed upload: by default, completed just now, a minute after its start. */
	addCompletedUpload(given: Partial<Upload> = {}): Upload {
		const completedAt = given.completedAt ?? this.now;
		return this.addUpload({
			createdAt: completedAt - 60_000,
			finishedSteps: STEP_NAMES.length,
			status: 'COMPLETED',
			lastUpdate: completedAt,
			...given,
			completedAt,
		});
	}

	/** Changes a listed upload, e.g. its completion date or status. */
	updateUpload(uploadId: string, patch: Partial<Upload>): Upload {
		this.lists.clear();
		return Object.assign(this.uploads.existing(uploadId), patch);
	}

	/** Deletes an upload, as if it had never existed. */
	deleteUpload(uploadId: string): void {
		this.uploads.remove(uploadId);
		this.lists.clear();
	}

	/** Refreshes an engagement's data: the upload, or null if the customer must act first. */
	refresh(engagementId: number, connectorName: string): Upload | null {
		const outcome =
			this.refreshOutcomes.get(engagementId) ?? this.usualOutcome(engagementId, connectorName);
		if (outcome === 'actionRequired') return null;
		return this.startUpload(engagementId, connectorName, 'MANAGEMENT_ACCOUNTS', outcome);
	}

	/** The customer must sign in to a connector never used before, and where refreshes are off. */
	private usualOutcome(engagementId: number, connectorName: string): RefreshOutcome {
		const { dataRefreshEnabled } = this.engagements.existing(engagementId);
		const isUsed = this.uploads
			.of(engagementId)
			.some((each) => each.connectorName === connectorName);
		return dataRefreshEnabled && isUsed ? 'completes' : 'actionRequired';
	}

	/** Lets an upload go through its steps from now on. */
	private progress(upload: Upload, outcome: UploadOutcome): void {
		const from = this.now;
		const stepMs = this.settings.uploadDurationMs / STEP_NAMES.length;
		if (!Number.isFinite(stepMs) || outcome === 'sticks') return;
		for (let step = 1; step <= STEP_NAMES.length; step += 1) {
			this.clock.plan(from + Math.round(step * stepMs), (at) => {
				if (!isOpen(upload)) return;
				const progress = { status: 'PROCESSING', finishedSteps: step, lastUpdate: at };
				if (step < STEP_NAMES.length) this.updateUpload(upload.uploadId, progress);
				else if (outcome === 'completes') this.completeUpload(upload.uploadId, at);
				else this.failUpload(upload.uploadId, at);
			});
		}
	}

	private usualConnector(engagement: Engagement): Connector {
		const own = this.connectors.find((connector) => connector.id === engagement.connectorId);
		return own ?? this.connectors[0] ?? this.addConnector();
	}
}
