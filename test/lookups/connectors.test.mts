import { isRefreshable } from '../../nodes/EngagementUploads/lookups/connectors.ts';

it.each<[boolean | string | undefined, boolean]>([
	[true, true],
	['true', true],
	[false, false],
	['false', false],
	[undefined, false],
])('a connector whose isRefreshable is %j can be refreshed: %j', (value, expected) => {
	expect(isRefreshable({ isRefreshable: value })).toBe(expected);
});
