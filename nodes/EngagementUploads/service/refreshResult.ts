/** The response to a refresh or a schedule, and its output (docs/service.md#refresh-record). */
import type { IDataObject } from 'n8n-workflow';
import type { RecordKind } from '../transport/request';
import { isAbsent, toText } from '../values/text';

export interface RefreshResult extends IDataObject {
	action?: string;
	url?: string | null;
}

/** With both fields, it is no error, even if it says why the customer must act. */
export const refreshResult: RecordKind<RefreshResult> = {
	distinctive: ['url'],
	ambiguous: ['action'],
	identity: [['action']],
};

const NO_ACTION =
	/^(none|nothing|no(further|user|customer)?actions?((is|are)?(required|needed|necessary))?|(actions?)?(is|are)?not(required|needed|necessary))$/i;

/** The service's response, and whether the customer must act at its `url` first. */
export function refreshOutput(response: RefreshResult, target: IDataObject) {
	const url = isAbsent(response.url) ? null : response.url;
	const saysNone = NO_ACTION.test(toText(response.action ?? '').replace(/[^a-z]/gi, ''));
	return { ...response, url, ...target, actionRequired: !saysNone || url !== null };
}
