/** Finds the engagement that an item of Create may return instead of creating another. */
import type { Engagement } from '../../service/records';
import type { Answers } from '../../lookups/lookUp';
import { asUnknownOutcome, isOutcomeUnknown } from '../../transport/errors';
import { InputError, quote } from '../../values/inputError';
import { foldCase } from '../../values/text';
import type { Run } from '../run';
import { begin, findCreation, type Creation } from './recentCreates';

/** Milliseconds between two looks at a creation that is under way. */
const PAUSE = 100;

/** The engagements that a run has created, by external ID. */
export class SentCreates {
	readonly created = new Map<string, Engagement>();
	/** External IDs whose creation has an unknown outcome, by lower case: these are not created again. */
	readonly unknown = new Map<string, string>();
}

/** What the service listed, and when. */
export interface Lookup {
	/** The engagements that the service listed before the first creation. */
	listed: Answers<Engagement[]>;
	lookedUpAt: number;
	/** External IDs of which the run has several spellings, in lower case. */
	exactOnly: Set<string>;
	/** Looks external IDs up again. */
	lookUp(externalIds: string[]): Promise<Answers<Engagement[]>>;
}

/** The engagement with an external ID, or the begin of its creation if there is none. */
export async function findOrBegin(
	externalId: string,
	{ listed, lookedUpAt, exactOnly, lookUp }: Lookup,
	{ client, hints, memory }: Run,
): Promise<{ existing: Engagement } | { creation: Creation }> {
	const sent = memory.get(SentCreates);
	const own = sent.created.get(externalId);
	if (own !== undefined) return { existing: own };
	const pickFirst = (answers: Answers<Engagement[]>) => {
		const [first, ...others] = answers.get(externalId) ?? [];
		if (others.length > 0) hints.add('severalFound', quote(externalId));
		return first;
	};
	// A creation with an unknown outcome may have succeeded meanwhile.
	const unknown = sent.unknown.get(foldCase(externalId));
	const existing = pickFirst(unknown === undefined ? listed : await lookUp([externalId]));
	if (existing !== undefined) return { existing };
	if (unknown !== undefined) throw notCreated(unknown, 'an earlier item');
	const isExact = exactOnly.has(foldCase(externalId));
	for (;;) {
		const recent = findCreation({ ...client.account, externalId, isExact, lookedUpAt });
		if (recent === undefined) return { creation: begin(client.account, externalId) };
		if (recent.endedAt === undefined) {
			await client.wait(PAUSE);
		} else if (recent.engagement === undefined) {
			const found = pickFirst(await lookUp([externalId]));
			if (found === undefined) throw notCreated(externalId, 'another execution');
			return { existing: found };
		} else {
			hints.add('notListed', quote(externalId));
			return { existing: recent.engagement };
		}
	}
}

/** Whether a failed request may have created an engagement. A cancelled one does not say. */
export function mayHaveCreated(error: unknown, { context }: Run): boolean {
	const isCancelled = context.getExecutionCancelSignal()?.aborted === true;
	return isCancelled || isOutcomeUnknown(asUnknownOutcome(error));
}

export function notCreated(externalId: string, by: string): InputError {
	return new InputError(
		`Not created: it is unknown whether ${by} created an engagement with the External Engagement ID ${quote(externalId)}`,
		'Check the service before running this again',
	);
}
