import { createdEngagement, engagement } from '../../../nodes/EngagementUploads/service/records.ts';
import {
	readRecord,
	readResponse,
} from '../../../nodes/EngagementUploads/transport/responses/responses.ts';

describe('a response', () => {
	const read = (text: string, status = 200) =>
		readResponse({ status, headers: {}, text }, (body) => body);

	it.each([
		['', 'it is empty'],
		[' \n', 'it is empty'],
		[' <p>Down</p>', 'it is a web page instead of data'],
		['<p>Down</p>', 'it is a web page instead of data'],
		['Down <now>', 'it is not JSON or was cut off'],
		['{"content":[', 'it is not JSON or was cut off'],
		['['.repeat(501) + ']'.repeat(501), 'it is nested too deeply'],
	])('cannot be read: %s', (text, why) => {
		expect(read(text)).toEqual({ unreadable: why, text });
	});

	it('is read if it is JSON with a success status', () => {
		const nested = '['.repeat(500) + ']'.repeat(500);
		for (const text of [' {"a":"<p>"}', nested])
			expect(read(text)).toEqual({ value: JSON.parse(text) as unknown, headers: {} });
		expect(read('{}', 500)).toEqual({ status: 500, headers: {}, text: '{}' });
	});

	it('of a read with 202 is not ready, whatever its body', () => {
		for (const text of ['', '{}', '[]']) {
			const early = { status: 202, headers: {}, text };
			expect(readResponse(early, (body) => body, true)).toMatchObject({
				unreadable: 'the result is not ready yet (202)',
			});
		}
		expect(read('{}', 202)).toEqual({ value: {}, headers: {} });
	});

	it('must have an ID if a record was created', () => {
		const record = { name: 'ACME', externalEngagementId: 'a' };
		expect(() => readRecord(record, createdEngagement)).toThrow('it has no ID');
		expect(readRecord(record, engagement)).toEqual(record);
		expect(readRecord({ ...record, Id: '7' }, createdEngagement)).toEqual({ ...record, Id: '7' });
	});
});
