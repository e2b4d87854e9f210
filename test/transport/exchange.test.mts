/** How an exchange ended, as n8n's helpers of all versions tell it. */
import { exchange } from '../../nodes/EngagementUploads/transport/exchange.ts';

const forever = new AbortController().signal;
const answerTo = async (response: object) =>
	await exchange(async () => await Promise.resolve(response), 60_000, forever);
const endWith = async (error: unknown) =>
	await exchange(async () => await Promise.reject(error as Error), 1500, forever);
const coded = (code: string, message = 'It failed') => Object.assign(new Error(message), { code });

it('a response is read as JSON, with a byte order mark or without', async () => {
	for (const text of ['{"name":"Müller"}', '\ufeff{"name":"Müller"}']) {
		const answer = await answerTo({ statusCode: 200, headers: {}, body: Buffer.from(text) });
		expect(answer).toEqual({ status: 200, headers: {}, body: { name: 'Müller' } });
	}
});

it.each([
	['ECONNREFUSED ENOTFOUND EAI_AGAIN EPROTO', 'unsent'],
	['CERT_HAS_EXPIRED UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID', 'unsent'],
	['ECONNABORTED ETIMEDOUT ERR_CANCELED', 'timeout'],
	['ECONNRESET EPIPE HPE_INVALID_CONSTANT EPROTOTYPE ERR_SSL_BAD_RECORD_TYPE', 'lost'],
	['Z_DATA_ERROR', 'unreadable'],
])('%s: %s', async (codes, end) => {
	for (const code of codes.split(' ')) {
		const cause = coded(code);
		// Up to 2.33, n8n keeps only the code; later versions keep the error as a cause.
		const kept = Object.assign(new Error('n8n says'), { httpCode: code });
		for (const error of [cause, kept, new Error('n8n says', { cause })])
			expect(await endWith(error)).toMatchObject({ end });
	}
});

it.each([
	['connect EHOSTUNREACH 10.0.0.1:443', 'EHOSTUNREACH', 'unsent'],
	['read EHOSTUNREACH', 'EHOSTUNREACH', 'lost'],
	['connect ETIMEDOUT 10.0.0.1:443', 'ETIMEDOUT', 'unsent'],
	['write ETIMEDOUT', 'ETIMEDOUT', 'timeout'],
	[
		'Client network socket disconnected before secure TLS connection was established',
		'ECONNRESET',
		'unsent',
	],
	['Proxy connection ended before receiving CONNECT response', 'ECONNRESET', 'unsent'],
])('“%s” (%s) means: %s', async (message, code, end) => {
	const error = coded(code, message);
	// A host may have several addresses.
	const ofAddresses = Object.assign(new AggregateError([error, error]), { code });
	for (const each of [error, ofAddresses, new Error('Error', { cause: ofAddresses })])
		expect(await endWith(each)).toMatchObject({ end });
});

it('an error that nobody has foreseen counts as a response that cannot be read', async () => {
	for (const error of [undefined, 'ECONNRESET', new Error('other'), { code: 5 }])
		expect(await endWith(error)).toMatchObject({ end: 'unreadable' });
});

it('the body of a final 401 is what n8n kept of it', async () => {
	const data = Buffer.from('{"message":"Schlüssel"}');
	const headers = {};
	const cause = Object.assign(new Error('401'), { response: { status: 401, headers, data } });
	const body = { message: 'Schlüssel' };
	expect(await endWith(new Error('n8n says', { cause }))).toEqual({ status: 401, headers, body });
	const older = { httpCode: '401', context: { data: Buffer.from('No') } };
	expect(await endWith(older)).toEqual({ status: 401, headers: {}, body: 'No' });
});

it('ends with the signal, even if the request does not respect it', async () => {
	const ending = new AbortController();
	const answer = exchange(async () => await new Promise<never>(() => {}), 1500, ending.signal);
	ending.abort(new DOMException('slow', 'TimeoutError'));
	expect(await answer).toEqual({ end: 'timeout', detail: '1.5 seconds' });
});
