/** What the editor shows of the nodes. The snapshot in test/docs has the names, defaults and options. */
import { EngagementUploads } from '../../nodes/EngagementUploads/EngagementUploads.node.ts';
import { operations } from '../../nodes/EngagementUploads/actions/operations.ts';

const { description } = new EngagementUploads();

it('each operation has a subtitle of its own, which fits below a tool, too', () => {
	const { subtitle = '' } = description;
	const texts = JSON.parse(subtitle.replace(/^=\{\{ (\{.*?\}).*$/, '$1')) as Record<string, string>;
	expect(Object.keys(texts)).toEqual(
		operations.map(({ resource, operation }) => `${resource} ${operation}`),
	);
	expect(new Set(Object.values(texts)).size).toBe(operations.length);
	expect(Object.values(texts).filter((text) => text.length > 23)).toEqual([]);
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
