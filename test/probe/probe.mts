import { Account } from './account.mts';
import { unknown, type Assumption, type Finding } from './assumptions/assumption.mts';
import { dates } from './assumptions/dates.mts';
import { errors, token } from './assumptions/errors.mts';
import { lists } from './assumptions/lists.mts';
import { records } from './assumptions/records.mts';
import { Connection, Stopped } from './connection.mts';
import type { ProbeSettings } from './settings.mts';

/** An assumption, and what was found. */
export type Row = Omit<Assumption, 'check'> & Finding;

/** All assumptions that are checked; the first one logs in. */
export const assumptions = [token, ...lists, ...records, ...dates, ...errors];

/** Checks all assumptions, one after the other. */
export async function runProbe(
	settings: ProbeSettings,
): Promise<{ rows: Row[]; connection: Connection }> {
	const connection = new Connection(settings);
	const account = new Account(connection, settings);
	const rows: Row[] = [];
	for (const { check, ...row } of assumptions) {
		rows.push({ ...row, ...(await tried(check, account)) });
	}
	return { rows, connection };
}

async function tried(check: Assumption['check'], account: Account): Promise<Finding> {
	try {
		return await check(account);
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		return unknown(error instanceof Stopped ? `not tried: ${why}` : `failed: ${why}`);
	}
}

/** The findings, without secrets. */
export function reportOf(rows: readonly Row[], connection: Connection): string {
	const paragraphs = rows.map(({ name, assumed, holds, seen, means }) =>
		[
			`${name}: ${holds === undefined ? 'unknown' : holds ? 'as assumed' : 'DIFFERENT'}`,
			`  assumed        ${assumed}`,
			`  seen           ${seen}`,
			`  for the nodes  ${means}`,
		].join('\n'),
	);
	return connection.redacted([...paragraphs, `${connection.requests} requests`].join('\n'));
}
