/** Connectors, found by what people and engagements call them. */
import { findConnectorName } from '../../nodes/EngagementUploads/lookups/connectors.ts';

const connectors = [
	{ id: '11', name: 'cloudbooks', title: 'Cloud Books' },
	{ id: 12, name: 'desk-ledger', title: 'Desk Ledger' },
	{ id: '13', name: '12', title: 'cloudbooks' },
	{ id: '14', name: 'a', title: 'Twins' },
	{ id: '15', name: 'b', title: 'Twins' },
	{ id: '16', name: 'c/d', title: null },
	{ id: '17', name: 'versions', title: 'Version 1' },
	{ id: '18', name: 'versions', title: 'Version 2' },
];

it.each([
	['11', 'cloudbooks'],
	['11.0', 'cloudbooks'],
	['CloudBooks', 'cloudbooks'],
	['cloud books ', 'cloudbooks'],
	['DESK ledger', 'desk-ledger'],
	// An ID takes precedence over a name.
	['12', 'desk-ledger'],
	['versions', 'versions'],
])('“%s” is the connector %s', (key, name) => {
	expect(findConnectorName(connectors, key)).toBe(name);
});

it('one that there is not, or that has no usable name, is an error', () => {
	const advice = expect.stringContaining('set Connector to By Name');
	expect(() => findConnectorName(connectors, '99')).toThrow(
		expect.objectContaining({ message: 'No connector has the ID, name or title “99”', advice }),
	);
	expect(() => findConnectorName(connectors, '16')).toThrow('“c/d” is not a valid name');
});

it('a title may be that of several, and then is not the name of any', () => {
	expect(() => findConnectorName(connectors, 'twins')).toThrow('Several connectors have');
});
