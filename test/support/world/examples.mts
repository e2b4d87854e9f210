/** The examples in the table of operations, ready to use with any simulated service. */
import type { IDataObject } from 'n8n-workflow';

import { operations, properties } from '../../../nodes/EngagementUploads/actions/operations.ts';
import type { Operation } from '../../../nodes/EngagementUploads/actions/operation.ts';
import { table } from './operations.mts';
import { listFields, type ParameterField } from './parameterFields.mts';
import type { Service } from '../service/service.mts';

export { toPattern } from '../service/routes.mts';

/** The records to which examples refer; every simulated service with an upload has them. */
export interface Target {
	clientId: string;
	engagementId: number;
	connectorName: string;
	uploadId: string;
}

/** An entry of the table of operations. */
export interface Entry {
	/** The fields to fill in; none by default. */
	parameters?: (target: Target) => IDataObject;
	/** The endpoint, as in docs/service.md#endpoints. */
	request: `${'GET' | 'POST'} /v1/${string}`;
	/** The query string; none by default. */
	query?: (target: Target) => string;
	/** The JSON body; none by default. */
	body?: object;
	/** The other requests, in any order; none by default. */
	lookups?: (target: Target) => string[];
	/** By field: values that must be rejected, besides those for all fields of its type. */
	invalid?: Record<string, unknown[]>;
	/** By field: a value, and what it adds to the query string or body of the request. */
	sends?: Record<string, [entered: unknown, sent: object]>;
}

/** An example of an operation. */
export interface Example extends Omit<Entry, 'parameters' | 'request' | 'query'> {
	name: string;
	operation: Operation;
	/** The fields that the editor shows. */
	fields: ParameterField[];
	/** All parameters of the node. */
	parameters: (target: Target) => IDataObject;
	method: 'GET' | 'POST';
	/** With parameters in braces. */
	path: string;
	/** Path and query string. */
	url: (target: Target) => string;
}

/** For requests that are never checked. */
export const anyTarget: Target = {
	clientId: 'a0000000-0000-4000-8000-00000000000a',
	engagementId: 1001,
	connectorName: 'cloudbooks',
	uploadId: '5f0c9a3e-7d1b-4c52-9a54-0f5b7f1d2c11',
};

export const examples: readonly Example[] = Object.entries(table).map(([name, entry]) =>
	findExample(name, entry),
);

for (const operation of operations)
	if (!Object.hasOwn(table, operationName(operation)))
		throw new Error(
			`Add ${operationName(operation)} to the table in test/support/world/operations.mts`,
		);

/** @throws Error if there is no such example */
export function example(name: string): Example {
	const found = examples.find((each) => each.name === name);
	if (found === undefined)
		throw new Error(`Add ${name} to the table in test/support/world/operations.mts`);
	return found;
}

/** Such as `upload.getAll`. */
export function operationName({ resource, operation }: Operation): string {
	return `${resource}.${operation}`;
}

/** Whether an operation returns records as the service sends them, if asked to. */
export function hasRaw({ fields: { output } }: Operation): boolean {
	return output?.property.options?.some((each) => 'value' in each && each.value === 'raw') ?? false;
}

/** A resource as the editor shows it. */
export function resourceName(value: string): string {
	const resources = properties.find(({ name }) => name === 'resource')?.options ?? [];
	const found = resources.find((each) => 'value' in each && each.value === value);
	return found?.name ?? value;
}

/** The first completed upload of a service that can be refreshed, and what belongs to it. */
export function toTarget({ model, clientId }: Service): Target {
	const first = model.uploads.all.find(
		({ connectorName, completedAt }) =>
			completedAt !== null && model.findConnector(connectorName)?.isRefreshable,
	);
	if (first === undefined) throw new Error('The service has no upload for the examples');
	const { engagementId, connectorName, uploadId } = first;
	return { clientId, engagementId, connectorName, uploadId };
}

function findExample(name: string, entry: Entry): Example {
	const { request, parameters, query, ...rest } = entry;
	const operation = operations.find((each) => operationName(each) === name.split(' ')[0]);
	if (operation === undefined)
		throw new Error(`Add ${name} to nodes/EngagementUploads/actions/operations.ts`);
	const [method, path] = request.split(' ') as [Example['method'], string];
	const { resource, operation: value } = operation;
	return {
		...rest,
		name,
		operation,
		method,
		path,
		fields: listFields(operation, parameters?.(anyTarget) ?? {}),
		parameters: (target) => ({ resource, operation: value, ...parameters?.(target) }),
		url: (target) => {
			const filled = path.replace(/\{(\w+)\}/g, (_, key: keyof Target) => String(target[key]));
			return query === undefined ? filled : `${filled}?${query(target)}`;
		},
	};
}
