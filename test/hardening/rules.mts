import type { FaultClass, FaultRow } from './faults.mts';
import { methodAt, type Place, type Subject } from './subjects.mts';

/** The expected result of a failed request. */
export interface Expected {
	/** The result of the run. */
	outcome: 'succeeds' | 'fails';
	/** Number of requests sent in place of the failed one, including it. */
	attempts: number | 'several';
	/** The message, besides the part that is specific to the fault. */
	message?: RegExp;
	/** Whether `message` describes the whole message, without the part specific to the fault. */
	isWhole?: boolean;
}

/** A fault at a place in a subject. */
export interface Spot {
	subject: Subject;
	place: Place;
	row: FaultRow;
}

const succeeds = (attempts: number): Expected => ({ outcome: 'succeeds', attempts });
const fails = (attempts: number, message?: RegExp): Expected => ({
	outcome: 'fails',
	attempts,
	message,
});

const UNKNOWN = /the outcome is unknown because .*was not retried/s;
const AFTER_ALL_ATTEMPTS = /, even after 6 attempts/;
const UNTIL = /accepts no requests until \d{4}-\d\d-\d\dT\d\d:\d\d/;
const NOT_RETRIED = /^(?!.*attempts)/s;

/** The expected handling of each class of faults (docs/service.md#errors). */
const RULES: Record<FaultClass, (isWrite: boolean, isPermanent: boolean) => Expected> = {
	temporary: (isWrite, isPermanent) =>
		isWrite ? fails(1, UNKNOWN) : isPermanent ? fails(6, AFTER_ALL_ATTEMPTS) : succeeds(2),
	throttled: (_, isPermanent) => (isPermanent ? fails(6, AFTER_ALL_ATTEMPTS) : succeeds(2)),
	tooLong: () => fails(1, UNTIL),
	refused: () => fails(1, NOT_RETRIED),
	unreadable: (isWrite) => fails(1, isWrite ? UNKNOWN : /response could not be read/),
	redirect: (isWrite) => fails(1, isWrite ? UNKNOWN : /Base URL/),
	unreachable: () => fails(6),
	tokenExpired: () => succeeds(2),
	// The first new token, and the next one, are each tried again until they are ten seconds old.
	tokenRefused: () => fails(12),
	pastedTokenRefused: () => fails(1),
	keyRefused: () => fails(1, /Enter the Subscription Key/),
};

const isPermanent = ({ row }: Spot) => row.times === Infinity;

/** The expected result of a fault at a place. */
export function findExpected(spot: Spot): Expected {
	const { subject, place, row } = spot;
	const isWrite = methodAt(subject, place) === 'POST';
	return exception(spot) ?? mayBeSize(spot) ?? RULES[row.class](isWrite, isPermanent(spot));
}

/** The first page of a list is asked for once more without a size. */
function mayBeSize({ subject, place, row }: Spot): Expected | undefined {
	const isFirst = ['only', 'first', 'before', 'look'].includes(place);
	const isRefusal = ['400', '422'].includes(row.name);
	return subject.isPaged && isFirst && isRefusal ? fails(2, NOT_RETRIED) : undefined;
}

const isServerError = ({ name }: FaultRow) => /^(408|5\d\d)\b/.test(name);

/** Whether a request for several engagements that fails in this way is followed by ones for fewer. */
function isSplit(spot: Spot): boolean {
	const { row } = spot;
	const isAtOnce =
		['refused', 'unreadable', 'redirect'].includes(row.class) || row.timeout !== undefined;
	return isAtOnce || (isServerError(row) && isPermanent(spot));
}

/** Exceptions for single operations and for the trigger. */
function exception(spot: Spot): Expected | undefined {
	const { subject, place, row } = spot;
	const { class: fault, name } = row;
	if (subject.name === 'upload.getLast' && isSplit(spot)) {
		// Each of the six engagements is then asked for alone, once. Few of these requests have later pages.
		if (place === 'first' && isPermanent(spot))
			return fails((isServerError(row) ? 6 : mayBeSize(spot) ? 2 : 1) + 6);
		return { outcome: 'succeeds', attempts: 'several' };
	}
	// A wait continues up to its timeout while the service is temporarily down or busy, or its
	// responses cannot be parsed.
	if (place === 'look' && fault === 'unreadable' && !isPermanent(spot)) return succeeds(2);
	if (
		place === 'look' &&
		isPermanent(spot) &&
		['temporary', 'throttled', 'unreadable'].includes(fault)
	)
		return {
			outcome: 'fails',
			attempts: 'several',
			isWhole: true,
			message: /was not complete after 0.2 minutes/,
		};
	// A poll may end before the last attempt, since chance lengthens the waits between them.
	if (subject.kind === 'trigger' && fault === 'tokenRefused')
		return { outcome: 'fails', attempts: 'several' };
	// The trigger leaves out the order, the page size, then both; after a 500, only the order.
	if (subject.kind === 'trigger' && place === 'first' && ['400', '422'].includes(name))
		return fails(4);
	if (subject.kind === 'trigger' && place === 'first' && name.startsWith('500'))
		return isPermanent(spot) ? fails(7) : { outcome: 'succeeds', attempts: 'several' };
	return undefined;
}
