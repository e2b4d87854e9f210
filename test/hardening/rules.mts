import type { FaultClass } from './faults.mts';
import type { Kind, Place } from './subjects.mts';

/** What must come of a request that goes wrong. */
export interface Expected {
	/** What becomes of the run. */
	outcome: 'succeeds' | 'fails';
	/** Requests sent in place of the one that goes wrong, itself included. */
	tries: number | 'several';
	/** What the message tells; beside what is the fault's own, unless the rule stands for all of it. */
	tells?: RegExp;
	isWhole?: boolean;
	/** Told of in a sentence of its own. */
	isSpecial?: boolean;
}

/** Where it goes wrong. */
export interface Spot {
	subject: string;
	kind: Kind;
	place: Place;
	method: 'GET' | 'POST';
	/** Whether it goes wrong again and again. */
	forGood: boolean;
}

const succeeds = (tries: number): Expected => ({ outcome: 'succeeds', tries });
const fails = (tries: number, tells?: RegExp): Expected => ({ outcome: 'fails', tries, tells });

const UNKNOWN = /unknown whether the service has done it.*nothing was repeated/s;
const AFTER_TRIES = /, also after 5 tries/;
const UNTIL = /accepts no requests until \d{4}-\d\d-\d\dT\d\d:\d\d/;
const NOT_REPEATED = /^(?!.*tries)/s;

/** The failure table of the contract. */
const RULES: Record<FaultClass, (spot: Spot) => Expected> = {
	temporary: ({ method, forGood }) =>
		method === 'POST' ? fails(1, UNKNOWN) : forGood ? fails(5, AFTER_TRIES) : succeeds(2),
	throttled: ({ forGood }) => (forGood ? fails(5, AFTER_TRIES) : succeeds(2)),
	tooLong: () => fails(1, UNTIL),
	refused: () => fails(1, NOT_REPEATED),
	unreadable: ({ method }) =>
		method === 'POST' ? fails(1, UNKNOWN) : fails(1, /answer could not be read/),
	redirect: () => fails(1, /Base URL/),
	unreachable: () => fails(5),
	tokenExpired: () => succeeds(2),
	tokenRefused: () => fails(2),
	pastedTokenRefused: () => fails(1),
	keyRefused: () => fails(1, /Enter the Subscription Key/),
	harmless: () => succeeds(1),
};

/** What the contract says must come of a fault at a place. */
export function expectedOf(fault: FaultClass, spot: Spot): Expected {
	return exception(fault, spot) ?? RULES[fault](spot);
}

/** What the contract says of single operations and of the trigger. */
function exception(
	fault: FaultClass,
	{ subject, kind, place, forGood }: Spot,
): Expected | undefined {
	// A merged request that is refused is split, until each engagement was asked for by itself: six,
	// twice three, and so on. Of a later page only few have one.
	if (subject === 'upload.getLast' && fault === 'refused') {
		if (place === 'first') return { ...fails(11), isSpecial: true };
		return { outcome: 'succeeds', tries: 'several', isSpecial: true };
	}
	// A wait goes on for as long as it may while the service is only down or busy for now, or answers
	// with what cannot be read.
	if (place === 'look' && fault === 'unreadable' && !forGood) return succeeds(2);
	if (place === 'look' && forGood && ['temporary', 'throttled', 'unreadable'].includes(fault))
		return {
			outcome: 'fails',
			tries: 'several',
			isWhole: true,
			tells: /was not complete after 0.02 minutes/,
		};
	// An order that the service refuses is left out.
	if (kind === 'trigger' && fault === 'refused' && place === 'first')
		return { ...fails(2), isSpecial: true };
	return undefined;
}
