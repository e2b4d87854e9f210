import { findNetworkError } from '../../nodes/EngagementUploads/transport/networkErrors.ts';

const coded = (code: string, message = 'It failed') => Object.assign(new Error(message), { code });

it.each([
	['ECONNREFUSED', 'unsent'],
	['ENOTFOUND', 'unsent'],
	['EAI_AGAIN', 'unsent'],
	['EHOSTUNREACH', 'unsent'],
	['ENETUNREACH', 'unsent'],
	['ENETDOWN', 'unsent'],
	['EADDRNOTAVAIL', 'unsent'],
	['ECONNABORTED', 'timeout'],
	['ETIMEDOUT', 'timeout'],
	['ERR_CANCELED', 'timeout'],
	['ABORT_ERR', 'timeout'],
	['Z_DATA_ERROR', 'unpackable'],
	['ERR_INVALID_CHAR', 'unsendable'],
	['CERT_HAS_EXPIRED', 'untrusted'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'untrusted'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'untrusted'],
	['EPROTO', 'untrusted'],
	['ERR_SSL_WRONG_VERSION_NUMBER', 'untrusted'],
	['ECONNRESET', 'lost'],
	['EPIPE', 'lost'],
	['HPE_INVALID_CONSTANT', 'lost'],
	['XECONNREFUSED', 'lost'],
	['ECONNREFUSED_X', 'lost'],
	['AZ_1', 'lost'],
	['EPROTOTYPE', 'lost'],
])('%s means %s', (code, kind) => {
	expect(findNetworkError(coded(code))).toEqual({ code, kind });
});

it('a reset while connecting means that nothing was sent', () => {
	expect(findNetworkError(coded('ECONNRESET', 'connect ECONNRESET'))?.kind).toBe('unsent');
	expect(findNetworkError(coded('ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1'))?.kind).toBe('unsent');
	expect(findNetworkError(coded('ECONNRESET', 'cannot connect '))?.kind).toBe('lost');
});

it("is found in n8n's wrapper", () => {
	const inner = coded('ECONNRESET');
	const wrapped = new Error('n8n says', { cause: new Error('again', { cause: inner }) });
	expect(findNetworkError(wrapped)).toEqual({ code: 'ECONNRESET', kind: 'lost' });
	const timeout = new Error('timed out', { cause: new DOMException('slow', 'TimeoutError') });
	expect(findNetworkError(timeout)).toEqual({ code: 'ETIMEDOUT', kind: 'timeout' });
});

it('is found if n8n keeps only the code', () => {
	const error = (httpCode: unknown) => Object.assign(new Error('n8n says'), { httpCode });
	expect(findNetworkError(error('ECONNREFUSED'))).toEqual({ code: 'ECONNREFUSED', kind: 'unsent' });
	for (const other of ['404', 404, undefined, 'x404'])
		expect(findNetworkError(error(other))).toBeUndefined();
});

it.each([[undefined], [null], ['ECONNRESET'], [new Error('other')], [{ code: 5 }]])(
	'%p is not a network error',
	(error) => expect(findNetworkError(error)).toBeUndefined(),
);
