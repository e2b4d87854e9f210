/**
 * Creations with an external ID, of all executions in this process: the service may take a while to list a new
 * engagement. n8n's other processes do not know of them. Invariant: whoever finds none begins one in the same
 * moment, so that the next one finds it.
 */
import type { Engagement } from '../../service/records';
import { systemClock } from '../../values/clock';
import { foldCase } from '../../values/text';

/** For how many milliseconds before a lookup a creation counts. */
const COUNTS_FOR = 5 * 60_000;
/** For how many milliseconds it is kept: a long run may have looked up its engagements a while ago. */
const KEPT_FOR = 60 * 60_000;

/** Whose engagements they are. */
export interface Account {
	base: string;
	/** Empty until the first request has been sent. */
	clientId: string;
}

export interface Creation extends Account {
	externalId: string;
	/** Undefined while it is under way. */
	endedAt?: number;
	/** Undefined if it is unknown whether the service has created it. */
	engagement?: Engagement;
}

/** By Base URL and external ID in lower case, in the order of their latest creation. */
const creations = new Map<string, Creation[]>();

const toKey = ({ base, externalId }: Pick<Creation, 'base' | 'externalId'>) =>
	JSON.stringify([base, foldCase(externalId)]);

const isKept = ({ endedAt = Infinity }: Creation) => endedAt > systemClock.now() - KEPT_FOR;

export function begin(account: Account, externalId: string): Creation {
	const creation = { ...account, externalId };
	const key = toKey(creation);
	const all = [...(creations.get(key) ?? []), creation];
	creations.delete(key);
	creations.set(key, all.filter(isKept));
	for (const [oldest, each] of creations) {
		if (each.some(isKept)) break;
		creations.delete(oldest);
	}
	return creation;
}

/** Keeps what has become of a creation that the service may have carried out. */
export function end(creation: Creation, account: Account, engagement?: Engagement): void {
	Object.assign(creation, account, { engagement, endedAt: systemClock.now() });
}

/** Forgets a creation that the service has refused or never received. */
export function forget(creation: Creation): void {
	const others = creations.get(toKey(creation))?.filter((each) => each !== creation) ?? [];
	creations.set(toKey(creation), others);
}

/** What a lookup has not found. */
export interface Sought extends Account {
	externalId: string;
	/** Whether it has other spellings in the run, which belong to other customers. */
	isExact: boolean;
	/** When the lookup began. */
	lookedUpAt: number;
}

/** A creation that is under way; else the latest one, or one of unknown outcome, that the lookup may have missed. */
export function findCreation(sought: Sought): Creation | undefined {
	const { clientId, externalId, isExact, lookedUpAt } = sought;
	const counts = (each: Creation) => {
		if (each.endedAt === undefined) return ['', clientId].includes(each.clientId);
		const since = each.engagement === undefined ? lookedUpAt : lookedUpAt - COUNTS_FOR;
		return each.clientId === clientId && each.endedAt >= since;
	};
	const inAnyCase = (creations.get(toKey(sought)) ?? []).filter(counts);
	const exact = inAnyCase.filter((each) => each.externalId === externalId);
	const found = exact.length > 0 || isExact ? exact : inAnyCase;
	return (
		found.find(({ endedAt }) => endedAt === undefined) ??
		found.findLast(({ engagement }) => engagement !== undefined) ??
		found.at(-1)
	);
}
