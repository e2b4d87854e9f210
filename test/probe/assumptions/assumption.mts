import type { Account } from '../account.mts';

/** What the service turned out to do, and what that means for the nodes. */
export interface Finding {
	/** Undefined: this account could not tell. */
	holds: boolean | undefined;
	seen: string;
	means: string;
}

/** Something undocumented that docs/service.md marks with this name. */
export interface Assumption {
	name: string;
	assumed: string;
	check: (account: Account) => Promise<Finding>;
}

export function finding(
	holds: boolean | undefined,
	seen: string,
	means = 'nothing to do',
): Finding {
	return { holds, seen, means };
}

export const unknown = (why: string) => finding(undefined, why, '-');
