/** Where a trigger starts that has no state yet, and whether its filter makes sense. */
import { listConnectors } from '../service/endpoints';
import { connectorNames } from '../fields/uploadFilters';
import { readList } from '../transport/pages';
import { timeOfDay } from '../values/clock';
import { InputError, quote } from '../values/inputError';
import { folded } from '../values/text';
import { MAX_AHEAD } from './cursor';
import type { Session } from './session';
import { initialState, type Identity, type State } from './state';

const HOUR = 3_600_000;
/** Start From Now records this much more than the look-back: zones differ, and clocks change. */
const FIRST_WINDOW = MAX_AHEAD + 2 * HOUR;
/** The same if no `Date` header tells how far the service's clock is off. */
const FIRST_WINDOW_WITHOUT_TIME = 7 * 24 * HOUR;

export async function startState({ settings, list }: Session, identity: Identity): Promise<State> {
	if (!settings.startsNow) {
		const startDate = settings.readStartDate();
		const start = { windowStart: startDate ?? null, startDate, needsBaseline: false };
		return initialState(identity, start);
	}
	// The service tells its time with its first response.
	await list.pages({ queryFrom: timeOfDay(), pageSize: 1 }).next();
	const { event, followFor, lookback } = settings;
	const { hasServiceTime, serviceTime } = list.client;
	const margin = hasServiceTime ? FIRST_WINDOW : FIRST_WINDOW_WITHOUT_TIME;
	const length = Math.max(event.isFollowing ? followFor : 0, lookback + margin);
	// One wrong `Date` header, far ahead, must not hide all that is new until then.
	const windowStart = Math.min(serviceTime, timeOfDay()) - length;
	return initialState(identity, { windowStart, needsBaseline: true });
}

/** @throws InputError for a name in the filter that no connector has */
export async function assertConnectorsExist({ settings, list }: Session): Promise<void> {
	const names = settings.filters.connectorNames;
	if (names === undefined) return;
	const connectors = await readList(list.client, listConnectors());
	const existing = new Set(connectors.map(({ name }) => folded(name)));
	const unknown = names.find((name) => !existing.has(folded(name)));
	if (unknown === undefined) return;
	throw new InputError(
		`${connectorNames.property.displayName} ${quote(unknown)} is not the name of a connector`,
		'Choose the connectors from the list, or remove the filter',
	);
}
