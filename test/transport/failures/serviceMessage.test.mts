import { Redactor } from '../../../nodes/EngagementUploads/values/redact.ts';
import { extractServiceMessage } from '../../../nodes/EngagementUploads/transport/messages.ts';

const SECRET = 'Zq83hfKq0pLw2xNd';

const messageIn = (body: unknown) =>
	extractServiceMessage(
		typeof body === 'string' ? body : JSON.stringify(body),
		new Redactor([SECRET]),
	);

describe('an error in JSON', () => {
	it.each([
		[{ message: 'Not allowed.' }, 'Not allowed.'],
		[{ Message: 'Not allowed' }, 'Not allowed'],
		[{ error_description: 'expired', error: 'invalid_token' }, 'expired; invalid_token'],
		[{ title: 'Bad Request', detail: 'No such page' }, 'No such page; Bad Request'],
		[{ message: 'Name is missing', error: 'missing' }, 'Name is missing'],
		[{ message: 'Once', detail: 'Once' }, 'Once'],
		[{ error: { message: 'Inner' } }, 'Inner'],
		[{ message: ['One', 'Two'] }, 'One; Two'],
		[{ message: 'v1.2 failed.', error: 'No' }, 'v1.2 failed; No'],
		[{ message: ' ', error: 'No ' }, 'No'],
		['"Just a text"', 'Just a text'],
		[['One', { message: 'Two' }], 'One; Two'],
		[{ message: 'No', details: 'because' }, 'No; because'],
		[{ status: 400, error: 'Bad', message: 'Bad value', path: '/v1/x' }, 'Bad value'],
		[{ errorMessages: ['One', 'Two'] }, 'One; Two'],
		[{ error_message: 'One', errorDescription: 'Two' }, 'One; Two'],
		[{ status: 400, info: 'No such page' }, 'info: No such page'],
		[{ result: { message: 'Inner' } }, 'result: Inner'],
	])('%j says “%s”', (body, message) => {
		expect(messageIn(body)).toBe(message);
	});

	it.each([
		[{ message: 'Refused', code: 'E17' }, 'Refused (E17)'],
		[{ message: 'Refused', errorCode: 17 }, 'Refused (17)'],
		[{ message: 'Refused', code: ' ' }, 'Refused'],
		[{ message: 'Refused', code: 'E404' }, 'Refused (E404)'],
		[{ message: 'Refused', code: 404 }, 'Refused'],
		[{ message: 'Refused', code: '599' }, 'Refused'],
		[{ message: 'Refused', code: 150 }, 'Refused (150)'],
		[{ message: 'Refused', code: 600 }, 'Refused (600)'],
		[{ message: 'Refused', code: 4040 }, 'Refused (4040)'],
		[{ message: 'Refused', code: { of: 'x' } }, 'Refused'],
		[{ code: 'E17' }, 'E17'],
	])('has a code unless it is the status: %j', (body, message) => {
		expect(messageIn(body)).toBe(message);
	});

	it.each([
		[{ errors: ['One', 'Two'] }, 'One; Two'],
		[{ errors: [{ field: 'name', message: 'is missing' }] }, 'name: is missing'],
		[{ errors: [{ loc: ['body', 'name'], msg: 'is missing' }] }, 'body.name: is missing'],
		[{ errors: [{ field: ' ', message: 'is missing' }] }, 'is missing'],
		[{ errors: [{ field: ' name', message: 'is missing' }] }, 'name: is missing'],
		[{ errors: [{ loc: ['a', 1], name: 'b', message: 'is missing' }] }, 'b: is missing'],
		[{ errors: { ['n'.repeat(100)]: 'is bad' } }, `${'n'.repeat(100)}: is bad`],
		[{ errors: { ['n'.repeat(101)]: 'is bad' } }, `${'n'.repeat(100)}…: is bad`],
		[{ errors: [{ loc: [], message: 'is missing' }] }, 'is missing'],
		[{ errors: { name: ['is missing', 'is short'] } }, 'name: is missing; name: is short'],
		[{ errors: { message: 'All wrong', field: 'name' } }, 'name: All wrong'],
		[
			{ message: 'Invalid', fieldErrors: [{ property: 'a', defaultMessage: 'is bad' }] },
			'Invalid; a: is bad',
		],
		[
			{ violations: [{ parameter: 'size', reason: 'too large', code: 'MAX' }] },
			'size: too large (MAX)',
		],
		[{ path: '/v1/users', message: 'Not found' }, 'Not found'],
		[{ field: 'sme.name', message: 'is missing' }, 'sme.name: is missing'],
		[{ errors: { title: 'is long', email: 'is bad' } }, 'title: is long; email: is bad'],
		[{ errors: [{ field: 'name', messages: ['is long', 'is bad'] }] }, 'name: is long; is bad'],
		[{ errors: [{ name: 'must not be empty' }] }, 'name: must not be empty'],
		[{ name: ['is missing'], email: 'is bad' }, 'name: is missing; email: is bad'],
		[{ errors: [{ propertyName: 'name', errorMessage: 'is bad' }] }, 'name: is bad'],
		[{ errors: [{ param: 'size', msg: 'is large' }] }, 'size: is large'],
		[{ errors: [{ source: { pointer: '/name' }, detail: 'is bad' }] }, '/name: is bad'],
		[{ errors: { sme: { name: ['is missing'] } } }, 'sme: name: is missing'],
		[{ Message: 'Invalid', ModelState: { name: ['is bad'] } }, 'Invalid; name: is bad'],
		[{ validationErrors: [{ field: 'name', message: 'is bad' }] }, 'name: is bad'],
		[{ 'invalid-params': [{ name: 'size', reason: 'is large' }] }, 'size: is large'],
		[{ violations: [{ propertyPath: 'name', message: 'is bad' }] }, 'name: is bad'],
		[{ fault: { faultstring: 'No such policy' } }, 'No such policy'],
		[{ message: 'No', details: { name: 'is long' } }, 'No; name: is long'],
		[{ errors: { 'sme.name': [{ message: 'blank', code: 'E1' }] } }, 'sme.name: blank (E1)'],
		[
			{
				error: {
					code: 'Bad',
					message: 'No',
					details: [{ code: 'X1', message: 'is bad', target: 'a' }],
				},
			},
			'No (Bad); a: is bad (X1)',
		],
	])('names every field error: %j', (body, message) => {
		expect(messageIn(body)).toBe(message);
	});

	it.each([[{}], [[]], [{ status: 404 }], [{ message: ' ' }], [{ errors: [] }], ['']])(
		'says nothing in %j',
		(body) => expect(messageIn(body)).toBeUndefined(),
	);

	it('is read completely, up to a maximum depth', () => {
		const errors = Array.from({ length: 60 }, (_, index) => `E-${index + 1}.`);
		expect(messageIn({ errors })).toMatch(/; E-60\.$/);
		const byField = Object.fromEntries(errors.map((text, index) => [`f${index + 1}`, text]));
		expect(messageIn({ errors: byField })).toMatch(/; f60: E-60\.$/);
		const deep = (levels: number): object => ({ error: levels > 1 ? deep(levels - 1) : 'deep' });
		expect(messageIn(deep(5))).toBe('deep');
		expect(messageIn(deep(6))).toBeUndefined();
	});
});

describe('an error in HTML', () => {
	it.each([
		['<html><body><h1>502 Bad Gateway</h1></body></html>', '502 Bad Gateway'],
		['<p>Down<style>p { color: red }</style> for <b>maintenance</b></p>', 'Down for maintenance'],
		['<p>Down</p><script>alert(1)', 'Down'],
		['<p>Down<br>for<script>x()</script>now</p>', 'Down for now'],
		['<P CLASS="x">Down</P', 'Down'],
		['<title>\n Gone \n</title>', 'Gone'],
	])('is shown without tags: %s', (body, message) => {
		expect(messageIn(body)).toBe(message);
	});

	it('is distinguished from text with something in angle brackets', () => {
		expect(messageIn('Use <engagementId>  here')).toBe('Use <engagementId> here');
		expect(messageIn('<html><script>only()</script></html>')).toBeUndefined();
	});
});

it('is shown up to 4,000 characters, with how much is left out', () => {
	const errors = Array.from({ length: 1000 }, (_, index) => ({ message: `error ${index}` }));
	const all = errors.map(({ message }) => message).join('; ');
	expect(messageIn({ errors: errors.slice(0, 300) })).toBe(
		all.slice(0, all.indexOf('; error 300')),
	);
	const more = ' (' + String(all.length - 4000) + ' more characters)';
	expect(messageIn({ errors })).toBe(all.slice(0, 4000) + '…' + more);
	expect(messageIn('x'.repeat(4000))).toBe('x'.repeat(4000));
	expect(messageIn({ message: 'x'.repeat(2_000_000) })).toMatch(
		/^\{"message":"x.*x{50}… \(1\d{6} more characters\)$/,
	);
	// What is masked is not left out.
	expect(messageIn(`Key ${SECRET}`)).toBe('Key ***');
	expect(messageIn(`Key ${SECRET} ${'x'.repeat(3979)}`)).toBe(`Key *** ${'x'.repeat(3979)}`);
});

it('counts the whole body if it has more values than are looked at', () => {
	const body = JSON.stringify(Array.from({ length: 6000 }, (_, index) => `error ${index}`));
	expect(messageIn(body)).toMatch(new RegExp(`… \\(${body.length - 4000} more characters\\)$`));
});

it('contains no secrets, in messages, field names or codes', () => {
	const body = { message: SECRET, errors: { [SECRET]: SECRET }, code: SECRET };
	expect(messageIn(body)).not.toContain('Zq83hfKq');
});

it('masks parts of a secret where a long message is cut', () => {
	for (let before = 3950; before < 4010; before += 7)
		expect(messageIn(`${'x'.repeat(before)} ${SECRET}`)).not.toMatch(/Zq83hf|Lw2xNd/);
});
