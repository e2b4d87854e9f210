/**
 * Finds the engagement that an item of Create may return instead of creating another. All executions in this process
 * remember what they create with an external ID, since the service may take a while to list a new engagement. n8n's
 * other processes do not know of it. Invariant: whoever finds none begins one in the same moment, so that the next
 * one finds it.
 */
import type { Engagement } from '../../service/records';
import type { Answers } from '../../lookups/lookUp';
import { asUnknownOutcome, isOutcomeUnknown } from '../../transport/errors';
import { HOUR, MINUTE, systemClock } from '../../values/clock';
import { InputError, quote } from '../../values/inputError';
import { foldCase } from '../../values/text';
import type { Run } from '../run';

/** For how many milliseconds before a lookup a creation counts. */
const COUNTS_FOR = 5 * MINUTE;
/** For how many milliseconds it is kept: a long run may have looked up its engagements a while ago. */
const KEPT_FOR = HOUR;
/** Milliseconds between two looks at a creation that is under way. */
const PAUSE = 100;

/** What the service listed, and when. */
export interface FirstLookup {
	/** The engagements that the service listed before the first creation. */
	listed: Answers<Engagement[]>;
	lookedUpAt: number;
	/** External IDs of which the run has several spellings, in lower case: they belong to several customers. */
	exactOnly: Set<string>;
	/** Looks external IDs up again. */
	lookUp(externalIds: string[]): Promise<Answers<Engagement[]>>;
}

/** A creation with an external ID. */
interface Creation {
	base: string;
	/** Empty until the first request has been sent. */
	clientId: string;
	externalId: string;
	run: symbol;
	/** Undefined while it is under way. */
	endedAt?: number;
	/** Undefined if it is unknown whether the service has created it. */
	engagement?: Engagement;
}

/** By Base URL and external ID in lower case, in the order of their latest creation. */
const creations = new Map<string, Creation[]>();

const toKey = ({ base, externalId }: Creation) => JSON.stringify([base, foldCase(externalId)]);

const isKept = ({ endedAt = Infinity }: Creation) => endedAt > systemClock.now() - KEPT_FOR;

const newCreation = (externalId: string, { client, memory }: Run): Creation => {
	return { ...client.account, externalId, run: memory.run };
};

/** Notes that an engagement is about to be created. */
export function begin(externalId: string, run: Run): Creation {
	const creation = newCreation(externalId, run);
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

/** Notes that an engagement was created. */
export function end(creation: Creation, { client }: Run, engagement?: Engagement): void {
	Object.assign(creation, client.account, { engagement, endedAt: systemClock.now() });
}

/** Notes that a request has failed; the engagement may have been created. A cancelled one does not say. */
export function fail(creation: Creation, error: unknown, run: Run): void {
	const isCancelled = run.context.getExecutionCancelSignal()?.aborted === true;
	if (isCancelled || isOutcomeUnknown(asUnknownOutcome(error))) return end(creation, run);
	const others = creations.get(toKey(creation))?.filter((each) => each !== creation) ?? [];
	creations.set(toKey(creation), others);
}

/** A creation that is under way; else the latest one, or one of unknown outcome, that the lookup may have missed. */
function findCreation(own: Creation, { lookedUpAt, exactOnly }: FirstLookup): Creation | undefined {
	const { clientId, externalId, run } = own;
	const counts = (each: Creation) => {
		if (each.endedAt === undefined) return ['', clientId].includes(each.clientId);
		const since = each.engagement === undefined ? lookedUpAt : lookedUpAt - COUNTS_FOR;
		return each.clientId === clientId && (each.endedAt >= since || each.run === run);
	};
	const inAnyCase = (creations.get(toKey(own)) ?? []).filter(counts);
	const exact = inAnyCase.filter((each) => each.externalId === externalId);
	const found = exact.length > 0 || exactOnly.has(foldCase(externalId)) ? exact : inAnyCase;
	return (
		found.find(({ endedAt }) => endedAt === undefined) ??
		found.findLast(({ engagement }) => engagement !== undefined) ??
		found.at(-1)
	);
}

/** The engagement with an external ID, or the begin of its creation if there is none. */
export async function findOrBegin(
	externalId: string,
	lookup: FirstLookup,
	run: Run,
): Promise<{ existing: Engagement } | { creation: Creation }> {
	const { client, hints } = run;
	const pickFirst = (answers: Answers<Engagement[]>) => {
		const [first, ...others] = answers.get(externalId) ?? [];
		if (others.length > 0) hints.add('severalFound', quote(externalId));
		return first;
	};
	const listed = pickFirst(lookup.listed);
	if (listed !== undefined) return { existing: listed };
	for (;;) {
		const own = newCreation(externalId, run);
		const recent = findCreation(own, lookup);
		if (recent === undefined) return { creation: begin(externalId, run) };
		if (recent.endedAt === undefined) {
			await client.wait(PAUSE);
		} else if (recent.engagement === undefined) {
			// It may have succeeded meanwhile.
			const found = pickFirst(await lookup.lookUp([externalId]));
			if (found === undefined) throw notCreated(externalId);
			return { existing: found };
		} else {
			if (recent.run !== own.run) hints.add('notListed', quote(externalId));
			return { existing: recent.engagement };
		}
	}
}

function notCreated(externalId: string): InputError {
	return new InputError(
		`Not created: it is unknown whether an earlier item or execution created an engagement with the External Engagement ID ${quote(externalId)}`,
		'Check the service before running this again',
	);
}
