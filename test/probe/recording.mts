/**
 * Makes a recording of what a service answered. Only what is known to be harmless stays; every other
 * value is replaced, by the same one everywhere. A recording is refused if a secret or an address is
 * left in it.
 */
import { isObject } from '../../nodes/EngagementUploads/values/objects.ts';
import type { Exchange, Recording } from '../support/service/replay.mts';
import { NO_ENGAGEMENT } from './account.mts';
import { formsOf, type Connection } from './connection.mts';

const CODE_NAME =
	/^(status|uploadStatus|statusCode|type|uploadType|userType|locale|scopes|direction|property|sort|nullHandling)$/;
const CODE = /^[\w -]+$/;
const COUNT_NAME =
	/^(totalPages|totalElements|numberOfElements|size|number|status|statusCode|type|sorting|periodNo)$/;
const DATE_NAME = /(date|created|started|update|createdAt)$/i;
const DATE = /^\d{4}-\d{2}-\d{2}([T ][\d:.,]+\s?(Z|[+-][\d:]+)?)?$/i;
const HEADERS = ['content-type', 'date'];

const HOST = 'example.com';
const ADDRESS =
	/[\w.+-]+@[\w.-]+|\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>\\]+|\b([a-z0-9-]+\.)+[a-z]{2,}\b|\b\d{1,3}(\.\d{1,3}){3}\b/gi;
const HARMLESS_ADDRESS = /^(person\d+@|https:\/\/)?example\.com(\/\d+)?$/;
const UUID = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

/** The text of a recording's file. @throws Error if a secret or an address is left in it */
export function recordingOf(connection: Connection, base: string): string {
	const anonymiser = new Anonymiser(connection);
	const exchanges = connection.exchanges.map((exchange) => anonymiser.exchange(exchange));
	const [, clientId = ''] = /clients\/([^/]+)/.exec(exchanges[0]?.url ?? '') ?? [];
	const recording: Recording = { clientId, exchanges };
	const text = `${JSON.stringify(recording, null, '\t')}\n`;
	assertHarmless(text, [...connection.secrets, new URL(base).host]);
	return text;
}

/** @throws Error if a secret, as it is or encoded, or an address is in a text */
export function assertHarmless(text: string, secrets: readonly string[]): void {
	const isLeft = secrets.flatMap(formsOf).some((form) => text.includes(form));
	if (isLeft) throw new Error('Nothing was recorded, because the file would contain a secret');
	const address = text.match(ADDRESS)?.find((found) => !HARMLESS_ADDRESS.test(found));
	if (address !== undefined)
		throw new Error('Nothing was recorded, because the file would contain an address');
}

class Anonymiser {
	/** The ID that the probe made up stays, so that it is still none of the others. */
	private readonly aliases = new Map([[String(NO_ENGAGEMENT), String(NO_ENGAGEMENT)]]);

	constructor(private readonly connection: Connection) {}

	exchange({ identity, url, status, headers, body }: Exchange): Exchange {
		const kept = HEADERS.flatMap((name) => (headers[name] ? [[name, headers[name]]] : []));
		const isRefusal = status !== 200 || typeof body === 'string';
		return {
			identity,
			url: this.url(url),
			status,
			headers: Object.fromEntries(kept),
			body: this.value(body, { isMessage: isRefusal }),
		};
	}

	/** IDs in paths and filters are replaced; pages, orders and dates stay. */
	private url(url: string): string {
		const replaced = (text: string) => encodeURIComponent(this.alias(decodeURIComponent(text)));
		return url
			.replace(/\b(clients|engagements|uploads)\/([^/?]+)/g, (_, before: string, id: string) =>
				[before, replaced(id)].join('/'),
			)
			.replace(/\b(\w+Ids?=)([^&]+)/g, (_, name: string, ids: string) =>
				[name, ids.split(',').map(replaced).join()].join(''),
			);
	}

	private value(
		value: unknown,
		place: { name?: string; isMessage: boolean; isRecord?: boolean },
	): unknown {
		const { name = '', isMessage, isRecord = false } = place;
		if (Array.isArray(value)) {
			return value.map((entry) => this.value(entry, { ...place, isRecord: true }));
		}
		if (isObject(value)) {
			const entries = Object.entries(value);
			return Object.fromEntries(
				entries.map(([key, inner]) => [key, this.value(inner, { ...place, name: key })]),
			);
		}
		if (typeof value === 'number') {
			const isCount = !isRecord && !/id$/i.test(name);
			const isKept = isMessage || isCount || COUNT_NAME.test(name) || DATE_NAME.test(name);
			return isKept ? value : Number(this.alias(String(value)));
		}
		if (typeof value !== 'string' || value === '') return value;
		if (isMessage) return this.message(value);
		const isCode = CODE_NAME.test(name) && CODE.test(value);
		return isCode || (DATE_NAME.test(name) && DATE.test(value)) ? value : this.alias(value);
	}

	/** A text without secrets, addresses, and what is replaced elsewhere. */
	private message(text: string): string {
		const known = [...this.aliases].filter(([value]) => value.length > 3);
		const replaced = known
			.reduce((message, [value, alias]) => message.replaceAll(value, alias), text)
			.replace(ADDRESS, HOST)
			.replace(UUID, (id) => this.alias(id));
		return this.connection.redacted(replaced);
	}

	/** Always the same one for a value, of the same kind, and another one for each value. */
	private alias(value: string): string {
		const alias = this.aliases.get(value) ?? aliasOf(value, this.aliases.size);
		this.aliases.set(value, alias);
		return alias;
	}
}

function aliasOf(value: string, count: number): string {
	// Above all IDs of a usual length, so that no two values share one.
	if (/^\d+$/.test(value)) return String(700_000_000 + count);
	if (value.replace(UUID, '') === '') {
		return `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
	}
	if (value.includes('@')) return `person${count}@${HOST}`;
	return value.includes('://') ? `https://${HOST}/${count}` : `Text ${count}`;
}
