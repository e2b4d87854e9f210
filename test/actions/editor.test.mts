/** What the editor shows of the nodes. The snapshot in test/docs has the names, defaults and options. */
import type { INodeProperties } from 'n8n-workflow';

import { EngagementUploadsApi } from '../../credentials/EngagementUploadsApi.credentials.ts';
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { EngagementUploadsTrigger } from '../../nodes/EngagementUploads/EngagementUploadsTrigger.node.ts';
import { toProperties } from '../../nodes/EngagementUploads/fields/field.ts';
import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';

const { description } = new EngagementUploads();
const trigger = new EngagementUploadsTrigger().description;

/** Every text of nodes and credential that the editor shows; entries of drop-downs have a name. */
function textsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	const label = 'value' in value ? 'name' : 'displayName';
	return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
		const isShown = [label, 'description', 'action', 'placeholder', 'hint'].includes(key);
		return isShown && typeof inner === 'string' ? [inner] : textsIn(inner);
	});
}

it('no text is empty', () => {
	const texts = textsIn([description, trigger, new EngagementUploadsApi()]);
	expect(texts.filter((text) => !/\w/.test(text))).toEqual([]);
	expect(texts.length).toBeGreaterThan(400);
});

/** The properties, in the collections too, of which a condition does not stand before them. */
function misplaced(fields: INodeProperties[]): string[] {
	const place = new Map(fields.map(({ name }, index) => [name, index]));
	return fields.flatMap(({ name, displayOptions: { show, hide } = {}, type, options }, index) => {
		const conditions = Object.keys({ ...show, ...hide }).filter((each) => !each.startsWith('/'));
		const isLate = conditions.some((each) => (place.get(each) ?? Infinity) >= index);
		const inner = type === 'collection' ? misplaced(options as INodeProperties[]) : [];
		return [...(isLate ? [name] : []), ...inner];
	});
}

it.each([
	...operations.map(({ resource, operation, fields }) => ({
		name: `${resource}.${operation}`,
		fields: toProperties(fields),
	})),
	{ name: 'the trigger', fields: trigger.properties },
])('in $name, each field stands after those that decide whether it is shown', ({ fields }) => {
	expect(misplaced(fields)).toEqual([]);
});

it('each operation has a subtitle of its own, which fits below a tool, too', () => {
	const { subtitle = '' } = description;
	const texts = JSON.parse(subtitle.replace(/^=\{\{ (\{.*?\}).*$/, '$1')) as Record<string, string>;
	expect(Object.keys(texts)).toEqual(
		operations.map(({ resource, operation }) => `${resource} ${operation}`),
	);
	expect(new Set(Object.values(texts)).size).toBe(operations.length);
	expect(Object.values(texts).filter((text) => text.length > 23)).toEqual([]);
	expect(Object.values(texts)).toContain('Get Data Status');
});

it('each entry of Fields has a title, and says in plain text what the field means', () => {
	const lists = [description, trigger].flatMap(({ properties }) =>
		properties.filter(({ name }) => name === 'fields'),
	);
	const entries = lists.flatMap(({ options = [] }) => options);
	const described = entries.map((entry) => ('value' in entry ? String(entry.description) : ''));
	expect(described.filter((text) => !/^[A-Z][^`[\]]+$/.test(text))).toEqual([]);
	const titleOf = (field: string) =>
		entries.find((entry) => 'value' in entry && entry.value === field)?.name;
	expect(['Owner.firstName', 'externalEngagementId', 'smeName', 'address1'].map(titleOf)).toEqual([
		'Owner First Name',
		'External Engagement ID',
		'SME Name',
		'Address 1',
	]);
});

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
});

it('the start of a schedule is entered as a day', () => {
	const field = description.properties.find(({ name }) => name === 'scheduleStartDate');
	expect(field?.typeOptions).toEqual({ dateOnly: true });
});
