/** Sort: rules that become the query parameter `orderBy` (docs/service.md#lists-and-pages). */
import { enteredIn, parseCollection } from '../values/objects';
import { parseRequiredText } from '../values/text';
import { choice, field, toProperties, type Field } from './field';

/** The title of a collapsed rule in the editor. */
const RULE_TITLE =
	'={{ ($collection.item.value.field || "Rule") + ($collection.item.value.direction === "desc" ? ", descending" : "") }}';

/** The fields of a rule. `names` are the fields of the record, by their labels. */
const ruleFields = (names: Record<string, string>) => ({
	field: field(
		{
			displayName: 'Field',
			type: 'options',
			options: Object.entries(names).map(([name, value]) => ({ name, value })),
			default: '',
			description: 'Field to sort by. Use an expression for a field that is not listed.',
		},
		parseRequiredText,
	),
	direction: choice('Direction', 'Sort direction', 'asc', {
		asc: ['Ascending', 'A to Z, low to high, oldest first'],
		desc: ['Descending', 'Z to A, high to low, newest first'],
	}),
});

/** The field Sort; its value is that of `orderBy`, undefined without rules. */
export function sort(names: Record<string, string>): Field<string | undefined> {
	const fields = ruleFields(names);
	return field(
		{
			displayName: 'Sort',
			type: 'fixedCollection',
			typeOptions: {
				multipleValues: true,
				sortable: true,
				fixedCollection: { itemTitle: RULE_TITLE },
			},
			placeholder: 'Add sort rule',
			default: {},
			description: 'Order of the list. A second rule breaks ties.',
			options: [{ displayName: 'Rule', name: 'rule', values: toProperties(fields) }],
		},
		(value, label, zone) => {
			const { rule: entered = [] } = parseCollection(value, label, ['rule']);
			const rules: unknown[] = Array.isArray(entered) ? entered : [entered];
			const terms = rules.map((each) => {
				const entries = parseCollection(each, label, Object.keys(fields));
				const name = fields.field.parse(entries.field, 'Sort Field', zone);
				const chosen = enteredIn(entries, 'direction');
				const direction = fields.direction.parse(chosen, 'Sort Direction', zone);
				return direction === 'desc' ? `-${name}` : name;
			});
			return terms.length === 0 ? undefined : terms.join(',');
		},
	);
}
