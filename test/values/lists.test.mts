import { parseList } from '../../nodes/EngagementUploads/values/lists.ts';

it('takes a field of each record, or the records as they are', () => {
	const records = [{ engagementId: 1 }, 2, { Id: 3 }];
	expect(parseList(records, 'Engagements', ['engagementId', 'Id'])).toEqual(['1', '2', '3']);
	expect(() => parseList(records, 'Engagements')).toThrow('contains an object instead of text');
});

it('has a maximum length', () => {
	const numbers = Array.from({ length: 20_001 }, (_, index) => index);
	expect(parseList(numbers.slice(1), 'Names')).toHaveLength(20_000);
	const message = 'Names has 20001 entries, which is too many';
	const advice = 'Enter at most 20000 entries in Names, or split them across several items';
	for (const value of [numbers, numbers.join()]) {
		const read = () => parseList(value, 'Names');
		expect(read).toThrow(expect.objectContaining({ message, advice }));
	}
});
