import { pageFields } from '../../../nodes/EngagementUploads/transport/responses/request.ts';

it.each([
	[true, true],
	['true', true],
	['false', false],
	['yes', undefined],
	[1, undefined],
])('the flag %j is %j', (last, flag) => {
	expect(pageFields([{ last }]).last).toBe(flag);
});

it.each([
	[3, 3],
	[0, 0],
	['12', 12],
	['999999999999999', 999_999_999_999_999],
	['1234567890123456', undefined],
	['12x', undefined],
	['x12', undefined],
	[-1, undefined],
	[1.5, undefined],
	[[7], undefined],
])('the number %j is %j', (totalPages, count) => {
	expect(pageFields([{ totalPages }]).totalPages).toBe(count);
});
