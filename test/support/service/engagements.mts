import type { Engagement } from './records.mts';

/** All engagements. */
export class Engagements {
	/** In creation order. */
	readonly all: Engagement[] = [];
	/** An unused ID. */
	freeId = 1;
	private readonly byId = new Map<number, Engagement>();

	add(engagement: Engagement): void {
		if (this.byId.has(engagement.id)) throw new Error(`Engagement ${engagement.id} already exists`);
		this.all.push(engagement);
		this.freeId = Math.max(this.freeId, engagement.id + 1);
		this.byId.set(engagement.id, engagement);
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
		const wanted = new Set<string | null>(externalIds);
		return this.all.filter(({ externalEngagementId }) => wanted.has(externalEngagementId));
	}
}
