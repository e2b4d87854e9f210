import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Fault } from '../support/service/faults.mts';
import type { SimulatedService } from '../support/service/http.mts';

/** How a fault is handled (docs/service.md#errors). */
export type FaultClass =
	| 'temporary'
	| 'throttled'
	| 'tooLong'
	| 'refused'
	| 'unreadable'
	| 'redirect'
	| 'unreachable'
	| 'tokenExpired'
	| 'tokenRefused'
	| 'pastedTokenRefused'
	| 'keyRefused';

/** A fault. */
export interface FaultRow {
	name: string;
	class: FaultClass;
	/** What the service does; absent if no request reaches it. */
	fault?: Fault;
	/** What is wrong in the credential, or with the address in it. */
	credential?: (service: SimulatedService) => ICredentialDataDecryptedObject;
	/** It is tested only at a subject's first place. */
	isOnlyFirst?: true;
	/** Number of requests that it affects; `Infinity` for all. */
	times: number;
	/** The part of the message that is specific to this fault. */
	message?: RegExp;
	/** Timeout of a request in seconds. */
	timeout?: number;
}

type Given = Partial<FaultRow> & Pick<FaultRow, 'class'>;

export const row = (name: string, fault: Fault | undefined, given: Given): FaultRow => ({
	name,
	fault,
	times: 1,
	...given,
});

export const status = (
	code: number,
	headers: Record<string, string> = {},
	body?: unknown,
): Fault => ({
	kind: 'status',
	status: code,
	headers,
	...(body !== undefined && { body }),
});
export const json = (body: string): Fault => ({
	kind: 'raw',
	body,
	contentType: 'application/json',
});

/** Once and permanently. */
export const both = (name: string, fault: Fault, given: Given): FaultRow[] => [
	row(`${name}, once`, fault, given),
	row(`${name}, permanently`, fault, { ...given, times: Infinity }),
];

/** Handled in the same way, so only the first of them is tested at every place. */
export const alike = ([first = [], ...others]: FaultRow[][]): FaultRow[] => [
	...first,
	...others.flat().map((each): FaultRow => ({ isOnlyFirst: true, ...each })),
];
