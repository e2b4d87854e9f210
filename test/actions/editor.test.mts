/** What the editor shows of the nodes: texts, lists and formats. */
import { readFileSync } from 'node:fs';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';

const { description, methods } = new EngagementUploads();
const trigger = new EngagementUploadsTrigger().description;
const { properties } = description;
const named = (name: string) => properties.filter((property) => property.name === name);
const optionsOf = (property: INodeProperties | undefined) =>
	(property?.options ?? []) as INodePropertyOptions[];
/** The parameters of an operation, in the editor's order. */
const of = (resource: string, operation: string) =>
	properties.filter(
		({ displayOptions: { show } = {} }) =>
			show?.resource?.includes(resource) === true && show.operation?.includes(operation) === true,
	);
/** By resource. */
const operationLists = optionsOf(named('resource')[0]).map(({ value }) => ({
	resource: String(value),
	list: named('operation').find(({ displayOptions }) =>
		displayOptions?.show?.resource?.includes(value),
	),
}));

describe.each(operationLists)('the operations of $resource', ({ list }) => {
	it('begin with one of them, and have labels in sentence case', () => {
		expect(optionsOf(list).map(({ value }) => value)).toContain(list?.default);
		// As in n8n's own nodes.
		for (const { action } of optionsOf(list)) {
			expect(action).toMatch(/^[A-Z][a-z ]+$/);
			expect(action).not.toMatch(/\b(an?|the)\b/i);
		}
	});
});

it('the subtitle is the label in title case, another one for each operation', () => {
	const [, json = ''] = /^=\{\{ (\{.*\})\[/.exec(String(description.subtitle)) ?? [];
	const subtitles = JSON.parse(json) as Record<string, string>;
	const names = operationLists.flatMap(({ resource, list }) =>
		optionsOf(list).map(({ value }) => `${resource} ${String(value)}`),
	);
	expect(Object.keys(subtitles).sort()).toEqual(names.sort());
	expect(subtitles['upload start']).toBe('Start Upload and Get Link for Customer');
	const texts = Object.values(subtitles);
	for (const text of texts) expect(text).toMatch(/^[A-Z]\w*( ([A-Z]\w*|and|for|of))*$/);
	expect(new Set(texts).size).toBe(operations.length);
});

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

describe('texts', () => {
	const failing = (fits: (property: INodeProperties) => boolean) =>
		all(properties)
			.filter((property) => !fits(property))
			.map(({ displayName }) => displayName);

	it('are all there', () => {
		const texts = textsIn([description, trigger, new EngagementUploadsApi()]);
		expect(texts.filter((text) => !/\w/.test(text))).toEqual([]);
		expect(texts.length).toBeGreaterThan(400);
	});

	it.each<[string, (property: INodeProperties) => boolean]>([
		[
			'give examples as placeholders',
			({ placeholder = 'e.g. ' }) => /^(e\.g\. |Add |Select )/.test(placeholder),
		],
		[
			'say what switches do',
			({ type, description: text = '' }) => type !== 'boolean' || /^Whether /.test(text),
		],
		['are no notices', ({ type }) => type !== 'notice'],
		[
			'are in alphabetical order in drop-downs, except where there is a natural order',
			({ name, type, options = [] }) => {
				const names = options.map((option) =>
					type === 'collection' && 'displayName' in option ? option.displayName : option.name,
				);
				const sorted = names.toSorted((one, other) => one.localeCompare(other));
				return name === 'scheduleFrequency' || names.join() === sorted.join();
			},
		],
	])('%s', (_, fits) => expect(failing(fits)).toEqual([]));
});

it('the start of a schedule is entered as a day', () => {
	expect(named('scheduleStartDate')[0]?.typeOptions).toEqual({ dateOnly: true });
});

it.each([{ parameters: of('upload', 'getAll') }, { parameters: of('engagement', 'getAll') }])(
	'Sort stands below Options, and its closed rules show their field',
	({ parameters }) => {
		const names = parameters.map(({ name }) => name);
		expect(names.indexOf('sort')).toBe(names.indexOf('options') + 1);
		const { fixedCollection } = parameters.find(({ name }) => name === 'sort')?.typeOptions ?? {};
		expect(fixedCollection?.itemTitle).toContain('$collection.item.value.field');
	},
);

it('only a data refresh offers only refreshable connectors', () => {
	const searches = operations.flatMap(({ resource, fields }) => {
		const [list] = fields.connectorName?.property.modes ?? [];
		return list ? [[resource, list.typeOptions?.searchListMethod]] : [];
	});
	expect(searches).toEqual([
		['dataRefresh', 'searchRefreshableConnectors'],
		['upload', 'searchConnectors'],
		['upload', 'searchConnectors'],
	]);
	expect(Object.keys(methods.listSearch)).toEqual(
		expect.arrayContaining(['searchRefreshableConnectors', 'searchConnectors']),
	);
});

it('the list of Engagement says so when it takes long', () => {
	for (const { modes = [] } of named('engagementId'))
		expect(modes.find(({ name }) => name === 'list')?.typeOptions?.slowLoadNotice).toEqual({
			message: expect.stringContaining('By ID'),
			timeout: 5000,
		});
});

it('Engagement > Get says what each mode costs', () => {
	expect(of('engagement', 'get')[0]?.description).toMatch(/By External ID.* is one request/);
});

it('models that build workflows are told which values to choose', () => {
	for (const name of ['engagementId', 'waitForCompletion', 'dataStatuses'])
		for (const { builderHint } of named(name)) expect(builderHint?.propertyHint).toMatch(/\w/);
	const stale = optionsOf(named('dataStatuses')[0]).find(({ value }) => value === 'stale');
	expect(stale).toMatchObject({ builderHint: { propertyHint: expect.stringMatching(/\w/) } });
});

it.each(['EngagementUploads', 'EngagementUploadsTrigger'])(
	'%s is found by what people type',
	(name) => {
		const codex = readFileSync(`nodes/EngagementUploads/${name}.node.json`, 'utf8');
		const { alias } = JSON.parse(codex) as { alias: string[] };
		expect(alias).toEqual(
			expect.arrayContaining(['audit', 'lending', 'covenant', 'month end', 'SME']),
		);
	},
);
