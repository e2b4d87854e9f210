import { extractServiceMessage } from '../../nodes/EngagementUploads/transport/serviceMessage.ts';

const messageOf = (body: unknown, secrets: string[] = []) =>
	extractServiceMessage(typeof body === 'string' ? body : JSON.stringify(body), secrets);

describe("everything in the service's message is shown", () => {
	it.each([
		[
			{
				message: 'Validation failed',
				errors: [{ field: 'sme.name', defaultMessage: 'must not be blank' }],
			},
			'Validation failed; sme.name: must not be blank',
		],
		[
			{
				title: 'One or more validation errors occurred.',
				status: 400,
				errors: { Name: ['is required', 'is too short'], email: 'is not an address' },
			},
			'One or more validation errors occurred; Name: is required; Name: is too short; email: is not an address',
		],
		[{ errors: { 'sme.name': [{ message: 'blank', code: 'E1' }] } }, 'sme.name: blank (E1)'],
		[{ errors: [{ message: 'one' }, { message: 'two' }] }, 'one; two'],
		[{ errors: ['one', 'two', 'one'] }, 'one; two'],
		[{ errors: { message: 'only this' } }, 'only this'],
		[{ message: 'No', details: 'because' }, 'No; because'],
		[{ message: 'No', details: { name: 'is long' } }, 'No; name: is long'],
		[
			{
				error: {
					code: 'BadRequest',
					message: 'Bad',
					details: [{ code: 'X1', message: 'is missing', target: 'sme.name' }],
				},
			},
			'Bad (BadRequest); sme.name: is missing (X1)',
		],
		[{ Message: 'Not for you', code: 'E17' }, 'Not for you (E17)'],
		[{ code: 'E17' }, 'E17'],
		[{ code: 400, message: 'Bad' }, 'Bad'],
		[[{ field: 'a', message: 'is wrong' }, 'text', { code: 7000 }], 'a: is wrong; text; 7000'],
		[{ type: 'about:blank', title: 'Bad', detail: 'A long story' }, 'A long story; Bad'],
		[{ error: 'invalid_grant', error_description: 'Wrong key' }, 'Wrong key; invalid_grant'],
		[{ detail: [{ loc: ['body', 'name'], msg: 'is missing' }] }, 'body.name: is missing'],
		[{ status: 400, error: 'Bad', message: 'Bad value', path: '/v1/x' }, 'Bad value'],
		['<html><body><h1>Bad Gateway</h1></body></html>', 'Bad Gateway'],
		['plain text', 'plain text'],
		[{ foo: 'bar' }, undefined],
		[{ message: ' ', errors: [] }, undefined],
		['', undefined],
	])('%j', (body, message) => {
		expect(messageOf(body)).toBe(message);
	});
});

it('is of bounded length, however much there is', () => {
	const errors = Array.from({ length: 1000 }, (_, index) => ({ message: `error ${index}` }));
	expect(messageOf({ errors })?.length).toBeLessThanOrEqual(1001);
	expect(messageOf({ message: 'x'.repeat(100_000) })?.length).toBeLessThanOrEqual(1001);
	let nested: unknown = 'deep';
	for (let depth = 0; depth < 1000; depth += 1) nested = { error: nested };
	expect(messageOf(nested)).toBeUndefined();
});

it('contains no secrets, in messages, field names or codes', () => {
	const secret = 'Zq83hfKq0pLw2xNd';
	const body = { message: secret, errors: { [secret]: secret }, code: secret };
	expect(messageOf(body, [secret])).not.toContain('Zq83hfKq');
});
