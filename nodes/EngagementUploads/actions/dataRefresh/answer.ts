/** What the service answers to a refresh or a schedule (interface sections 4.11 and 4.12). */
import type { IDataObject } from 'n8n-workflow';
import { isAbsent, toText } from '../../values/text';

/** Whether the customer must act, at the `url` of the answer, before data can be refreshed. */
export function isActionRequired({ action, url }: IDataObject): boolean {
	const saysNone =
		toText(action ?? '')
			.replace(/[^a-z]/gi, '')
			.toLowerCase() === 'noactionrequired';
	return !(saysNone && isAbsent(url));
}
