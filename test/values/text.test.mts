/** How texts are compared. */
import { foldCase, isAbsent } from '../../nodes/EngagementUploads/values/text.ts';

it('a service may send the text null for “no value”', () => {
	for (const sent of [undefined, null, '', ' \t', 'null', ' NULL '])
		expect(isAbsent(sent)).toBe(true);
	for (const sent of ['nullable', 'not null', 'a', 0, false]) expect(isAbsent(sent)).toBe(false);
});

it('texts are compared without case, with accented letters in either of their spellings', () => {
	expect(foldCase(' In Progress ')).toBe('in progress');
	expect(foldCase('ZOE\u0308')).toBe('zo\u00eb');
});
