/** The response to a refresh or a schedule (docs/service.md#refresh-record). */
import type { RefreshResult } from '../../api/records';
import { isAbsent, toText } from '../../values/text';

/** Whether the customer must act, at the response's `url`, before data can be refreshed. */
export function isActionRequired({ action, url }: RefreshResult): boolean {
	const saysNone =
		toText(action ?? '')
			.replace(/[^a-z]/gi, '')
			.toLowerCase() === 'noactionrequired';
	return !(saysNone && isAbsent(url));
}
