import type { IDataObject } from 'n8n-workflow';

import {
	anyTarget,
	example,
	examples,
	hasRaw,
	toPattern,
	toTarget,
	type Example,
	type Target,
} from '../support/world/examples.mts';
import { addOfEachKind } from '../support/world/kinds.mts';
import type { Match } from '../support/service/faults.mts';
import { startService, type SimulatedService } from '../support/service/http.mts';

/** How a subject calls the service; `trigger` polls. */
export type Kind = 'record' | 'list' | 'write' | 'wait' | 'trigger';

/** Which of its requests fails. A wait checks before and after its refresh. */
export type Place = 'only' | 'first' | 'middle' | 'last' | 'before' | 'refresh' | 'look';

/** What is tested: an operation or the trigger. */
export interface Subject {
	name: string;
	kind: Kind;
	parameters: (target: Target) => IDataObject;
	/** The path of the requests that fail. */
	path: RegExp;
	method: 'GET' | 'POST';
	/** Whether its first request names a page size. */
	isPaged: boolean;
	/** Whether it returns records as the service sends them, if asked to. */
	hasRaw: boolean;
}

const IDS = [1001, 1002, 1003, 1004, 1005, 1006];
/** What a list returns without a fault. */
export const RECORDS = IDS.length;
const PAGE_SIZE = 2;

/** An example as a subject; lists are read completely. */
export function toSubject({
	name,
	operation,
	method,
	listOf,
	path,
	url,
	parameters,
}: Example): Subject {
	const paging = Object.hasOwn(operation.fields, 'returnAll');
	return {
		name,
		kind: method === 'POST' ? 'write' : listOf ? 'list' : 'record',
		method,
		isPaged: url(anyTarget).includes('size='),
		hasRaw: hasRaw(operation),
		path: toPattern(path),
		parameters: (target) => ({ ...parameters(target), ...(paging && { returnAll: true }) }),
	};
}

/** Every example in the table of operations, the wait for a refreshed upload, and the trigger. */
export const subjects: readonly Subject[] = [
	...examples.map(toSubject),
	{
		name: 'dataRefresh.run, waiting',
		kind: 'wait',
		method: 'GET',
		isPaged: true,
		hasRaw: false,
		path: /\/(clients\/[^/]+\/uploads|refresh)$/,
		parameters: (target) => ({
			...example('dataRefresh.run').parameters(target),
			waitForCompletion: true,
			options: { waitInterval: 0.5, waitTimeout: 0.2 },
		}),
	},
	{
		name: 'trigger',
		kind: 'trigger',
		method: 'GET',
		isPaged: true,
		hasRaw: true,
		path: /\/uploads$/,
		parameters: () => ({ startFrom: 'beginning', options: { pageSize: PAGE_SIZE } }),
	},
];

/** A look reads the whole list, so it counts as one request. */
const FIRST_PAGE = { page: '0' };

const PLACES: Record<Kind, readonly Place[]> = {
	record: ['only'],
	list: ['first', 'middle', 'last'],
	write: ['only'],
	wait: ['before', 'refresh', 'look'],
	trigger: ['first', 'middle', 'last'],
};

export const listPlaces = ({ kind }: Subject): readonly Place[] => PLACES[kind];

/** The method of the request that fails. */
export function methodAt({ method }: Subject, place: Place): 'GET' | 'POST' {
	return place === 'refresh' ? 'POST' : method;
}

/** Which requests fail, and how many succeed before them. */
export function matchAt({ path }: Subject, place: Place): { match: Match; skip: number } {
	if (place === 'refresh') return { match: { path: /\/refresh$/ }, skip: 0 };
	if (place === 'before' || place === 'look')
		return { match: { path, query: FIRST_PAGE }, skip: place === 'look' ? 1 : 0 };
	const page = { middle: '1', last: '2' }[String(place)];
	return { match: { path, ...(page !== undefined && { query: { page } }) }, skip: 0 };
}

/**
 * A service for one cell: every list has six records on three pages, and an upload completes at
 * once.
 */
export async function makeWorld(subject: Subject): Promise<SimulatedService> {
	const service = await startService({
		settings: { maxPageSize: PAGE_SIZE, pageFieldsOnUnpaged: true, uploadDurationMs: 0 },
	});
	const { connectorName } = anyTarget;
	const isOneEngagement = subject.parameters(anyTarget).source === 'connector';
	addOfEachKind(service.model, IDS, { connectorName, isOneEngagement });
	return service;
}

/** The parameters for a service. */
export function parametersFor({ parameters }: Subject, service: SimulatedService): IDataObject {
	return parameters(toTarget(service));
}
