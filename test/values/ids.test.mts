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

it('an engagement ID is quoted, with what to enter', () => {
	const message = 'Engagement “abc” is not a positive whole number';
	const advice = 'Enter a number such as 1001 in Engagement';
	const read = () => parseEngagementId('abc', 'Engagement');
	expect(read).toThrow(expect.objectContaining({ message, advice }));
});
