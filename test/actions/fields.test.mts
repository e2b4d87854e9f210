/** What people, models and programs enter in fields that several operations share, as the field reads it. */
import {
	connector,
	connectorOrLast,
	engagement,
} from '../../nodes/EngagementUploads/fields/locators.ts';
import type { Field } from '../../nodes/EngagementUploads/fields/field.ts';
import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';

/** A field of the first operation that has it. */
function fieldOf(name: string): Field<unknown> {
	const [found] = operations.flatMap(({ fields }) => fields[name] ?? []);
	if (found === undefined) throw new Error(`No operation has ${name}`);
	return found;
}

const anyConnector = connector('searchConnectors');
const locator = (mode: string, value: unknown) => ({ __rl: true, mode, value });
const rules = { rule: [{ field: 'uploadId', direction: 'DESC' }, { field: 'engagementId' }] };

const NO_TEXT = ['', null, 'null', 'undefined', ' NULL '];
const NO_VALUE = [...NO_TEXT, [], {}];

const fields: Record<string, [Field<unknown>, entered: unknown[], value: unknown]> = {
	'an engagement ID': [
		engagement,
		[1001, locator('list', '1001'), locator('id', '1001.0')],
		{ id: 1001 },
	],
	'an external ID': [engagement, [locator('externalId', ' CRM-1')], { externalId: 'CRM-1' }],
	'the name of a connector': [
		anyConnector,
		['cloudbooks', locator('list', 'cloudbooks')],
		'cloudbooks',
	],
	'no connector': [connectorOrLast, [locator('list', ''), locator('list', null)], undefined],
	'a sort order': [fieldOf('sort'), [rules], '-uploadId,engagementId'],
	'fields to return': [
		fieldOf('fields'),
		[['name', 'Owner.email'], 'name, Owner.email', '["name", "Owner.email"]'],
		['name', 'Owner.email'],
	],
	'a frequency': [fieldOf('scheduleFrequency'), ['3', 3, 'weekly'], '3'],
	'no data status': [fieldOf('dataStatuses'), NO_VALUE, undefined],
	'no scope': [fieldOf('scopeName'), NO_TEXT, undefined],
	"no external ID of a new engagement's": [
		fieldOf('additionalFields'),
		NO_TEXT.map((externalEngagementId) => ({ externalEngagementId })),
		{},
	],
};

it.each(Object.entries(fields))('%s', (_what, [{ parse }, entered, value]) => {
	for (const each of entered) expect([each, parse(each, 'Field', 'UTC')]).toEqual([each, value]);
});

it('an engagement ID that is none may be an external ID', () => {
	const advice = expect.stringContaining('or set it to By External ID');
	expect(() => engagement.parse('CUSTOMER-42', 'Engagement', 'UTC')).toThrow(
		expect.objectContaining({ advice }),
	);
});

it('a filter without a value is no filter, however that is expressed', () => {
	const collections = operations.flatMap(({ fields }) => fields.filters ?? []);
	expect(collections).toHaveLength(5);
	for (const { property, parse } of collections)
		for (const { name } of property.options ?? [])
			for (const value of NO_VALUE)
				expect(parse({ [name]: value }, 'Filters', 'UTC')).toHaveProperty(name, undefined);
});
