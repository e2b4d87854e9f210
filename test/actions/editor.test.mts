/** What the editor offers beyond texts (properties.test.mts): notices, formats, and what it accepts. */
import { readFileSync } from 'node:fs';
import { NodeHelpers, type INode, type INodeProperties } from 'n8n-workflow';

import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { kinds } from '../values/readers.mts';

const { description } = new EngagementUploads();
const { properties } = description;
const named = (name: string) => properties.filter((property) => property.name === name);
/** The parameters of an operation, in the editor's order. */
const of = (resource: string, operation: string) =>
	properties.filter(
		({ displayOptions: { show } = {} }) =>
			show?.resource?.includes(resource) === true && show.operation?.includes(operation) === true,
	);

it('the start of a schedule is entered as a day', () => {
	const [start] = named('scheduleStartDate');
	expect(start?.typeOptions).toEqual({ dateOnly: true });
});

it.each([of('upload', 'getAll'), of('engagement', 'getAll')])(
	'Sort stands below Options',
	(...all) => {
		const names = all.map(({ name }) => name);
		expect(names.indexOf('sort')).toBe(names.indexOf('options') + 1);
		const { fixedCollection } = all.find(({ name }) => name === 'sort')?.typeOptions ?? {};
		expect(fixedCollection?.itemTitle).toContain('$collection.item.value.field');
	},
);

describe('Engagement', () => {
	const locators = named('engagementId');
	const modeOf = ({ modes = [] }: INodeProperties, mode: string) =>
		modes.find(({ name }) => name === mode);

	it('says so when its list takes long', () => {
		for (const each of locators)
			expect(modeOf(each, 'list')?.typeOptions?.slowLoadNotice).toEqual({
				message: expect.stringContaining('By ID'),
				timeout: 5000,
			});
	});

	const issues = (value: unknown, mode = 'id') => {
		const parameters = { ...{ resource: 'company', operation: 'get' } };
		const node = {
			...{ name: 'Node', typeVersion: 1, type: 'x' },
			parameters: { ...parameters, engagementId: { __rl: true, mode, value } },
		} as unknown as INode;
		const found = NodeHelpers.getNodeParametersIssues(properties, node, description);
		return found?.parameters?.engagementId;
	};

	it('accepts every ID that the node accepts', () => {
		const accepted = kinds.parseEngagementId?.accepted ?? [];
		const entered = accepted.map(([value]) => value).filter((value) => typeof value !== 'object');
		expect(entered.length).toBeGreaterThan(8);
		// The node has a better message for these.
		for (const value of [...entered, '1.000', '1,001', '1 001', '={{ $json.id }}'])
			expect([value, issues(value)]).toEqual([value, undefined]);
		expect(issues('CUSTOMER-42', 'externalId')).toBeUndefined();
	});

	it.each(['CUSTOMER-42', 'abc', '-1', '10e3'])('points out that %s is no ID', (value) => {
		expect(issues(value)).toEqual(['Enter a number such as 1001, or switch to By External ID']);
	});

	it('of Engagement > Get says what each mode costs', () => {
		const [get] = of('engagement', 'get');
		expect(get?.description).toMatch(/By External ID.* is one request/);
	});
});

it('the subtitle is in title case, for each operation', () => {
	const [, json = ''] = /^=\{\{ (\{.*\})\[/.exec(String(description.subtitle)) ?? [];
	const subtitles = JSON.parse(json) as Record<string, string>;
	const operations = named('operation').flatMap(({ displayOptions, options = [] }) =>
		options.map(
			(option) =>
				`${String(displayOptions?.show?.resource?.[0])} ${'value' in option ? String(option.value) : ''}`,
		),
	);
	expect(Object.keys(subtitles).sort()).toEqual(operations.sort());
	expect(subtitles['upload getAll']).toBe('Get Many Uploads');
	expect(subtitles['upload start']).toBe('Start Upload and Get Link for Customer');
	for (const text of Object.values(subtitles))
		expect(text).toMatch(/^[A-Z]\w*( ([A-Z]\w*|and|for|of))*$/);
});

it('models that build workflows are told which values to choose', () => {
	const hinted = (name: string) => named(name).map(({ builderHint }) => builderHint?.propertyHint);
	for (const name of ['engagementId', 'waitForCompletion', 'dataStatuses'])
		expect([name, hinted(name)]).toEqual([
			name,
			hinted(name).map(() => expect.stringMatching(/\w/)),
		]);
	const [statuses] = named('dataStatuses');
	const stale = statuses?.options?.find((option) => 'value' in option && option.value === 'stale');
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
