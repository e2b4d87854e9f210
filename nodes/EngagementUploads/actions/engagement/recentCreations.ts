/**
 * The engagements that executions in this process are creating, or have created in the last five minutes: a webhook
 * may come twice, and a list may show a new engagement late. n8n's other processes do not know of them. Invariant: of
 * all who ask for an external ID at the same time, one creates it, and the others share the result.
 */
import type { Engagement } from '../../service/records';
import { asUnknownOutcome, isOutcomeUnknown, rethrow } from '../../transport/errors';
import { MINUTE, systemClock } from '../../values/clock';

const KEPT_FOR = 5 * MINUTE;

interface Creation {
	begunAt: number;
	/** If its outcome is unknown, it stays there, so that nobody creates another. */
	engagement: Promise<Engagement>;
}

/** By account and external ID, oldest first. */
const creations = new Map<string, Creation>();

/** A creation that is under way, or was lately; undefined if there is none. */
export function findCreation(account: string, externalId: string): Promise<Engagement> | undefined {
	const oldest = systemClock.now() - KEPT_FOR;
	for (const [key, { begunAt }] of creations) if (begunAt < oldest) creations.delete(key);
	return creations.get(toKey(account, externalId))?.engagement;
}

/** Remembers a creation, and returns its engagement. */
export async function remember(
	account: string,
	externalId: string,
	engagement: Promise<Engagement>,
): Promise<Engagement> {
	const key = toKey(account, externalId);
	creations.delete(key);
	creations.set(key, { begunAt: systemClock.now(), engagement });
	try {
		return await engagement;
	} catch (error) {
		if (!isOutcomeUnknown(asUnknownOutcome(error))) creations.delete(key);
		rethrow(error);
	}
}

const toKey = (account: string, externalId: string) => JSON.stringify([account, externalId]);
