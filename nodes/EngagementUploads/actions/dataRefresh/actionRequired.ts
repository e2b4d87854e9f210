/** The response to a refresh or a schedule (docs/service.md#refresh-record). */
import type { RefreshResult } from '../../api/records';
import { isAbsent, toText } from '../../values/text';

const NO_ACTION = /^no(further)?action(is)?(required|needed)$/i;

/** Whether the customer must act, at the response's `url`, before data can be refreshed. */
export function isActionRequired({ action, url }: RefreshResult): boolean {
	const saysNone = NO_ACTION.test(toText(action ?? '').replace(/[^a-z]/gi, ''));
	return !(saysNone && isAbsent(url));
}
