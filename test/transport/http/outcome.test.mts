import {
	isRedirect,
	isRejectedToken,
	isSuccess,
	outcomeOf,
} from '../../../nodes/EngagementUploads/transport/exchange.ts';

const coded = (code: string, message = 'It failed') => Object.assign(new Error(message), { code });

const KINDS = {
	unsent: 'ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ENETDOWN EADDRNOTAVAIL',
	timeout: 'ECONNABORTED ETIMEDOUT ERR_CANCELED ABORT_ERR',
	unsendable: 'ERR_INVALID_CHAR',
	untrusted:
		'CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY HOSTNAME_MISMATCH INVALID_CA EPROTO ERR_SSL_WRONG_VERSION_NUMBER',
	lost: 'ECONNRESET EPIPE HPE_INVALID_CONSTANT XECONNREFUSED ECONNREFUSED_X AZ_1 EPROTOTYPE',
};

it.each(Object.entries(KINDS))('%s: %s', (kind, codes) => {
	for (const code of codes.split(' '))
		expect(outcomeOf(coded(code))).toEqual({ network: kind, code });
});

it('a reset while connecting means that nothing was sent', () => {
	const early = 'Client network socket disconnected before secure TLS connection was established';
	for (const message of ['connect ECONNRESET', early])
		expect(outcomeOf(coded('ECONNRESET', message))).toMatchObject({ network: 'unsent' });
	expect(outcomeOf(coded('ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1'))).toMatchObject({
		network: 'unsent',
	});
	expect(outcomeOf(coded('ECONNRESET', 'cannot connect '))).toMatchObject({ network: 'lost' });
});

it('a secure connection that breaks was made', () => {
	for (const code of ['ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC', 'EPROTO']) {
		const error = coded(code, 'SSL routines:ssl3_read_bytes:sslv3 alert bad record mac');
		expect(outcomeOf(error)).toEqual({ network: 'lost', code });
	}
});

it('a proxy that closes the connection is named', () => {
	const message = 'Proxy connection ended before receiving CONNECT response';
	expect(outcomeOf(new Error(message))).toEqual({ network: 'proxy' });
	const wrapped = Object.assign(new Error('n8n says'), { messages: [message] });
	expect(outcomeOf(wrapped)).toEqual({ network: 'proxy' });
});

it('what cannot be decompressed was received', () => {
	expect(outcomeOf(coded('Z_DATA_ERROR'))).toEqual({ unreadable: 'it could not be decompressed' });
});

it("an error is found in n8n's wrapper", () => {
	const inner = coded('ECONNRESET');
	const wrapped = new Error('n8n says', { cause: new Error('again', { cause: inner }) });
	expect(outcomeOf(wrapped)).toEqual({ code: 'ECONNRESET', network: 'lost' });
	const timeout = new Error('timed out', { cause: new DOMException('slow', 'TimeoutError') });
	expect(outcomeOf(timeout)).toEqual({ code: 'ETIMEDOUT', network: 'timeout' });
});

it('an error is found if n8n keeps only the code', () => {
	const error = (httpCode: unknown) => Object.assign(new Error('n8n says'), { httpCode });
	expect(outcomeOf(error('ECONNREFUSED'))).toEqual({ code: 'ECONNREFUSED', network: 'unsent' });
	for (const other of ['404', 404, undefined, 'x404'])
		expect(outcomeOf(error(other))).toEqual({ unreadable: 'n8n says' });
});

it.each([undefined, null, 'ECONNRESET', new Error('other'), { code: 5 }])(
	'%p is not a network error',
	(error) => expect(outcomeOf(error)).toHaveProperty('unreadable'),
);

it('304 is no redirect', () => {
	const statuses = [200, 300, 301, 302, 303, 304, 305, 306, 307, 308, 400];
	expect(statuses.filter(isRedirect)).toEqual([301, 302, 303, 307, 308]);
});

it('a status from 200 to 299 means success', () => {
	expect([199, 200, 299, 300].map(isSuccess)).toEqual([false, true, true, false]);
});

it('only the status 401 rejects the token', () => {
	const answer = (status: number) => ({ status, headers: {}, text: '' });
	expect(isRejectedToken(answer(401))).toBe(true);
	expect(isRejectedToken(answer(403))).toBe(false);
	expect(isRejectedToken({ network: 'lost' })).toBe(false);
});
