/** Text from the service, and from people, that costs most to read. */
const many = (count: number, text: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => text(index)).join();

/** The shapes of error bodies that cost most to read, each just under 1 MB. */
export const BODIES: Record<string, string> = {
	'many errors': JSON.stringify({ errors: Array(30_000).fill({ message: 'm', field: 'f' }) }),
	'many fields': `{${many(45_000, (index) => `"f${index}":"is bad"`)}}`,
	'nested lists': `{"message":${'['.repeat(490_000)}${']'.repeat(490_000)}}`,
	'open tags': `<p>${'<'.repeat(980_000)}`,
	escapes: '&#x41;%41\\u0041'.repeat(65_000),
	'parts of tokens': 'eyJhbGciOi.'.repeat(88_000),
};

/** Responses with a success status that cost most to read, each just under 1 MB. */
export const RESPONSES: Record<string, string> = {
	'objects by key': `{${many(70_000, (index) => `"k${index}":{}`)}}`,
	'lists in a list': `{"a":[${many(330_000, () => '[]')}]}`,
	'nested lists': '['.repeat(490_000) + ']'.repeat(490_000),
};

/** Entered values of 100,000 characters that cost most to parse, by the field that they are for. */
export const INPUTS: Array<[field: string, what: string, value: string]> = [
	['engagementIds', 'blanks', `1${' '.repeat(100_000)}x`],
	['engagementIds', 'separators', ','.repeat(100_000)],
	['engagementIds', 'open brackets', '['.repeat(100_000)],
	['uploadId', 'dots', '.'.repeat(100_000)],
	['completedDateFrom', 'blanks in a date', `2026-03-01T10:15:30${' '.repeat(100_000)}Z`],
];
