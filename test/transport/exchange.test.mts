/** How an exchange ended, as n8n's helpers of all versions tell it. */
import { exchange } from '../../nodes/EngagementUploads/transport/exchange.ts';

const forever = new AbortController().signal;
const never = async () => await new Promise<never>(() => {});
const answerTo = async (response: object) =>
	await exchange(async () => await Promise.resolve(response), 60_000, forever);
const endWith = async (error: unknown) =>
	await exchange(async () => await Promise.reject(error as Error), 1500, forever);
const coded = (code: string, message = 'It failed') => Object.assign(new Error(message), { code });

it.each([
	['{"name":"Müller"}', 'utf-8', undefined],
	['\ufeff{"name":"Müller"}', 'utf-8', 'application/json'],
	['{"name":"Müller"}', 'latin1', 'application/json;charset=ISO-8859-1'],
] as const)('%s in %s is read as declared: %s', async (text, encoding, contentType) => {
	const headers = { 'content-type': contentType };
	const answer = await answerTo({ statusCode: 200, headers, body: Buffer.from(text, encoding) });
	expect(answer).toEqual({ status: 200, headers, body: { name: 'Müller' } });
});

const ENDS = {
	unsent:
		'ECONNREFUSED ENOTFOUND EAI_AGAIN EADDRNOTAVAIL ERR_INVALID_CHAR ERR_TLS_HANDSHAKE_TIMEOUT EPROTO',
	certificate:
		'ERR_TLS_CERT_ALTNAME_INVALID CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT INVALID_CA ' +
		'SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
	timeout: 'ECONNABORTED ETIMEDOUT ERR_CANCELED',
	lost:
		'ECONNRESET EPIPE HPE_INVALID_CONSTANT XECONNREFUSED EPROTOTYPE ERR_SSL_WRONG_VERSION_NUMBER ' +
		'ERR_SSL_PACKET_LENGTH_TOO_LONG ERR_SSL_BAD_RECORD_TYPE ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC',
	unreadable: 'Z_DATA_ERROR',
};

it.each(Object.entries(ENDS))('%s: %s', async (end, codes) => {
	for (const code of codes.split(' ')) {
		const cause = coded(code);
		// Up to 2.33, n8n keeps only the code; later versions keep the error as a cause.
		const kept = Object.assign(new Error('n8n says'), { httpCode: code });
		for (const error of [cause, kept, new Error('n8n says', { cause })])
			expect(await endWith(error)).toMatchObject({ end });
	}
});

it.each([
	['connect ECONNRESET 10.0.0.1:443', 'unsent'],
	['Client network socket disconnected before secure TLS connection was established', 'unsent'],
	['Proxy connection ended before receiving CONNECT response', 'unsent'],
])('a reset with the message “%s” means: %s', async (message, end) => {
	expect(await endWith(coded('ECONNRESET', message))).toMatchObject({ end });
});

it('a secure connection that breaks later is lost', async () => {
	const error = coded('EPROTO', 'write EPROTO ssl3_read_bytes:sslv3 alert bad record mac');
	expect(await endWith(error)).toMatchObject({ end: 'lost' });
});

it.each([
	['EHOSTUNREACH', 'lost'],
	['ENETUNREACH', 'lost'],
	['ENETDOWN', 'lost'],
	['ETIMEDOUT', 'timeout'],
])('%s means that nothing was sent only while connecting, else %s', async (code, end) => {
	const refused = coded(code, `connect ${code} 10.0.0.1:443`);
	const ofAddresses = Object.assign(new AggregateError([refused, refused]), { code });
	const wrapped = Object.assign(new Error('Error', { cause: ofAddresses }), { code });
	for (const error of [refused, ofAddresses, wrapped])
		expect(await endWith(error)).toEqual({ end: 'unsent', detail: code });
	for (const step of ['read', 'write'])
		expect(await endWith(coded(code, `${step} ${code}`))).toMatchObject({ end });
});

it('an error that nobody has foreseen counts as a response that cannot be read', async () => {
	for (const error of [undefined, 'ECONNRESET', new Error('other'), { code: 5 }])
		expect(await endWith(error)).toMatchObject({ end: 'unreadable' });
});

it('the body of a final 401 is what n8n kept of it', async () => {
	const data = Buffer.from('{"message":"Schlüssel"}', 'latin1');
	const headers = { 'content-type': 'application/json; charset=latin1' };
	const cause = Object.assign(new Error('401'), { response: { status: 401, headers, data } });
	const body = { message: 'Schlüssel' };
	expect(await endWith(new Error('n8n says', { cause }))).toEqual({ status: 401, headers, body });
	const older = { httpCode: '401', context: { data: Buffer.from('No') } };
	expect(await endWith(older)).toEqual({ status: 401, headers: {}, body: 'No' });
});

it('ends with the signal, even if the request does not respect it, and sends nothing after it', async () => {
	const late = AbortSignal.abort(new DOMException('slow', 'TimeoutError'));
	const send = jest.fn(never);
	expect(await exchange(send, 1500, late)).toEqual({ end: 'timeout', detail: '1.5 seconds' });
	expect(send).not.toHaveBeenCalled();
	const ending = new AbortController();
	const answer = exchange(never, 1000, ending.signal);
	ending.abort(new DOMException('slow', 'TimeoutError'));
	expect(await answer).toEqual({ end: 'timeout', detail: '1 second' });
});
