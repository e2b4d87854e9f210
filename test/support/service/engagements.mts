import type { Engagement } from './records.mts';

/** All engagements, by ID and by external ID. */
export class Engagements {
	/** In creation order. */
	readonly all: Engagement[] = [];
	/** An unused ID. */
	freeId = 1;
	private readonly byId = new Map<number, Engagement>();
	private readonly byExternalId = new Map<string, Engagement[]>();

	add(engagement: Engagement): void {
		if (this.byId.has(engagement.id)) throw new Error(`Engagement ${engagement.id} already exists`);
		this.all.push(engagement);
		this.freeId = Math.max(this.freeId, engagement.id + 1);
		this.byId.set(engagement.id, engagement);
		this.index(engagement);
	}

	/** Changes an engagement's fields, except its ID. */
	update(engagement: Engagement, patch: Partial<Engagement>): void {
		const { externalEngagementId } = engagement;
		const known = externalEngagementId === null ? [] : this.byExternalId.get(externalEngagementId);
		known?.splice(known.indexOf(engagement), 1);
		Object.assign(engagement, patch, { id: engagement.id });
		this.index(engagement);
	}

	get(id: number): Engagement | undefined {
		return this.byId.get(id);
	}

	/** The engagement with this ID; throws if there is none. */
	existing(id: number): Engagement {
		const engagement = this.byId.get(id);
		if (!engagement) throw new Error(`There is no engagement ${id}`);
		return engagement;
	}

	/** Engagements with one of the external IDs, which need not be unique. */
	withExternalIds(externalIds: readonly string[]): Engagement[] {
		return [...new Set(externalIds)].flatMap((id) => this.byExternalId.get(id) ?? []);
	}

	private index(engagement: Engagement): void {
		const externalId = engagement.externalEngagementId;
		if (externalId === null) return;
		const known = this.byExternalId.get(externalId);
		if (known) known.push(engagement);
		else this.byExternalId.set(externalId, [engagement]);
	}
}
