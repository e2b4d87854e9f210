import type { Upload } from './records.mts';

/** Records by ID, in the order of their creation. */
export class Collection<Id, T> {
	/** How many there have ever been. */
	added = 0;
	private readonly byId = new Map<Id, T>();

	get all(): T[] {
		return [...this.byId.values()];
	}

	/** @throws if there is such a record already */
	add(id: Id, record: T): T {
		if (this.byId.has(id)) throw new Error(`There already is ${String(id)}`);
		this.byId.set(id, record);
		this.added += 1;
		return record;
	}

	get(id: Id): T | undefined {
		return this.byId.get(id);
	}

	/** @throws if there is no such record */
	existing(id: Id): T {
		const record = this.byId.get(id);
		if (record === undefined) throw new Error(`There is no ${String(id)}`);
		return record;
	}

	remove(id: Id): void {
		this.byId.delete(id);
	}
}

/** All uploads. */
export class Uploads extends Collection<string, Upload> {
	/** Uploads of an engagement, in creation order. */
	of(id: number): Upload[] {
		return this.all.filter(({ engagementId }) => engagementId === id);
	}
}
