import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';
import { events } from '../../nodes/EngagementUploads/trigger/events/index.ts';

const action = new EngagementUploads().description;
const trigger = new EngagementUploadsTrigger().description;
const { properties } = action;

const optionsOf = (property: INodeProperties | undefined) =>
	(property?.options ?? []) as INodePropertyOptions[];
const operationsOf = (resource: string) =>
	properties.find(
		({ name, displayOptions }) =>
			name === 'operation' && displayOptions?.show?.resource?.includes(resource) === true,
	);

/** All properties, including those inside collections. */
function all(from: INodeProperties[]): INodeProperties[] {
	return from.flatMap((property) => {
		const inner = (property.options ?? []).flatMap((option) => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
		const modes = (property.modes ?? []).map(
			(mode): INodeProperties => ({ ...mode, type: 'string', default: '' }),
		);
		return [property, ...modes, ...all(inner)];
	});
}

/** Every text of nodes and credential that the editor shows; entries of drop-downs have a name. */
function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const label = 'value' in value ? 'name' : 'displayName';
	return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
		const isShown = [label, 'description', 'action', 'placeholder', 'hint'].includes(key);
		return isShown && typeof inner === 'string' ? [inner] : textsIn(inner);
	});
}

const every = all(properties).map((property) => ({ property, name: property.displayName }));

describe('resources and operations', () => {
	const resourceValues = optionsOf(properties.find(({ name }) => name === 'resource')).map(
		({ value }) => String(value),
	);

	it.each(resourceValues)('%s starts with an existing operation', (resource) => {
		const property = operationsOf(resource);
		const values = optionsOf(property).map(({ value }) => value);
		expect(values).toContain(property?.default);
		expect(property?.noDataExpression).toBe(true);
	});

	it('have unique action labels in sentence case', () => {
		const labels = resourceValues.flatMap((resource) =>
			optionsOf(operationsOf(resource)).map(({ action }) => action ?? ''),
		);
		expect(new Set(labels).size).toBe(operations.length);
		for (const label of labels) expect(label).toMatch(/^[A-Z][a-z ]+$/);
		// As in n8n's own nodes.
		for (const label of labels) expect(label).not.toMatch(/\b(an?|the)\b/i);
	});
});

describe('texts', () => {
	const failing = (fits: (property: INodeProperties) => boolean) =>
		every.filter(({ property }) => !fits(property)).map(({ name }) => name);

	it('are all there', () => {
		const texts = textsIn([action, trigger, new EngagementUploadsApi()]);
		expect(texts.filter((text) => !/\w/.test(text))).toEqual([]);
		expect(texts.length).toBeGreaterThan(400);
	});

	it('give examples as placeholders', () => {
		const fits = ({ placeholder = 'e.g. ' }: INodeProperties) =>
			/^(e\.g\. |Add |Select )/.test(placeholder);
		expect(failing(fits)).toEqual([]);
	});

	it('say what switches do', () => {
		const fits = ({ type, description = '' }: INodeProperties) =>
			type !== 'boolean' || /^Whether /.test(description);
		expect(failing(fits)).toEqual([]);
	});

	it('are in alphabetical order in drop-downs, except where there is a natural order', () => {
		const fits = ({ name, type, options = [] }: INodeProperties) => {
			if (name === 'scheduleFrequency') return true;
			const names = options.map((option) =>
				type === 'collection' && 'displayName' in option ? option.displayName : option.name,
			);
			const sorted = [...names].sort((one, other) => one.localeCompare(other));
			return names.join() === sorted.join();
		};
		expect(failing(fits)).toEqual([]);
	});
});

it('a data refresh offers only refreshable connectors', () => {
	const methodFor = (resource: string) =>
		properties
			.filter(({ name }) => name === 'connectorName')
			.find(({ displayOptions }) => displayOptions?.show?.resource?.includes(resource) === true)
			?.modes?.[0]?.typeOptions?.searchListMethod;
	expect(methodFor('dataRefresh')).toBe('searchRefreshableConnectors');
	expect(methodFor('upload')).toBe('searchConnectors');
	const { listSearch } = new EngagementUploads().methods;
	expect(Object.keys(listSearch)).toEqual(
		expect.arrayContaining(['searchRefreshableConnectors', 'searchConnectors']),
	);
});

/** The notices that the editor shows for a node with these parameters, and defaults for the others. */
function noticesFor(description: typeof action, entered: INodeParameters): string[] {
	const node = { typeVersion: 1, parameters: entered } as unknown as INode;
	const { properties: all } = description;
	const values = NodeHelpers.getNodeParameters(all, entered, true, false, node, description);
	return all
		.filter(({ type }) => type === 'notice')
		.filter((notice) => NodeHelpers.displayParameter(values ?? {}, notice, node, description))
		.map(({ displayName }) => displayName);
}

it.each(operations)('$resource $operation shows no notice by itself', ({ resource, operation }) => {
	expect(noticesFor(action, { resource, operation })).toEqual([]);
});

it.each(events)('$name shows no notice by itself', ({ value }) => {
	expect(noticesFor(trigger, { event: value })).toEqual([]);
});
