/** How texts are compared, and how much of them fits into a URL. */
import { foldCase, isAbsent, parseQueryText } from '../../nodes/EngagementUploads/values/text.ts';

it('a service may send the text null for “no value”', () => {
	for (const sent of [undefined, null, '', ' \t', 'null', ' NULL '])
		expect(isAbsent(sent)).toBe(true);
	for (const sent of ['nullable', 'not null', 'a', 0, false]) expect(isAbsent(sent)).toBe(false);
});

it('texts are compared without case, with accented letters in either of their spellings', () => {
	expect(foldCase(' In Progress ')).toBe('in progress');
	expect(foldCase('ZOE\u0308')).toBe('zo\u00eb');
});

it('a text may have 1,000 characters, as encoded in a URL', () => {
	expect(parseQueryText('é'.repeat(166), 'Name')).toBe('é'.repeat(166));
	const message = `Name “${'é'.repeat(60)}…” is too long`;
	const advice = expect.stringMatching(/^Enter at most 1000 characters in Name/);
	const tooLong = () => parseQueryText('é'.repeat(167), 'Name');
	expect(tooLong).toThrow(expect.objectContaining({ message, advice }));
});
