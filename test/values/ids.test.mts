import { parseEngagementId, plainNumber } from '../../nodes/EngagementUploads/values/ids.ts';

it.each([
	['7', '7'],
	['7.0', '7'],
	['17.00', '17'],
	['007', '7'],
	['1002', '1002'],
	['0', '0'],
	['7.5', '7.5'],
	['07a', '07a'],
	['a07', 'a07'],
	['', ''],
])('plainNumber of %j is %j', (id, plain) => {
	expect(plainNumber(id)).toBe(plain);
});

it.each([
	[[], 'Enter a number such as 1001 in Engagement'],
	[[', or a list'], 'Enter a number such as 1001 in Engagement, or a list'],
])('an engagement ID advises what to enter: %j', (orElse, advice) => {
	const read = () => parseEngagementId('x', 'Engagement', ...orElse);
	expect(read).toThrow(expect.objectContaining({ advice }));
});
