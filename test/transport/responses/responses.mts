import type { PageFields } from '../../../nodes/EngagementUploads/transport/request.ts';

type Json = Record<string, unknown>;

/** The forms of a list: turn its name, records and page fields into a response. */
export const WRAPPERS: Record<string, (name: string, records: Json[], fields: Json) => unknown> = {
	'a bare array': (_, records) => records,
	content: (_, content, fields) => ({ content, ...fields }),
	data: (_, data, fields) => ({ ...fields, data }),
	items: (_, items, fields) => ({ items, ...fields }),
	results: (_, results, fields) => ({ results, ...fields }),
	value: (_, value, fields) => ({ value, ...fields }),
	'its own name': (name, records, fields) => ({ ...fields, [name]: records }),
	'another name': (_, records, fields) => ({ theRows: records, ...fields }),
	_embedded: (name, records, fields) => ({ _embedded: { [name]: records }, ...fields }),
	'data.content': (_, content, fields) => ({ data: { content, ...fields } }),
	'a response with a list in it': (name, records, fields) => ({
		response: { [name]: records },
		...fields,
	}),
	'three wrappers': (name, records, fields) => ({
		body: { payload: { [name]: records } },
		...fields,
	}),
};

const spring = { last: false, totalPages: 3, totalElements: 5, number: 0, size: 2 };
const { last: _, ...counted } = spring;

/** Page fields as sent, and what they mean. */
export const PAGES: Array<{ fields: Json; pageFields: PageFields }> = [
	{ fields: {}, pageFields: {} },
	{ fields: spring, pageFields: spring },
	{
		fields: { ...spring, sort: [{ direction: 'ASC', property: 'Id' }], numberOfElements: 2 },
		pageFields: { ...spring, sortedBy: 'Id' },
	},
	{ fields: { ...spring, sort: { sorted: false, empty: true } }, pageFields: spring },
	{
		fields: { ...spring, direction: 'DESC', property: 'creationDate' },
		pageFields: { ...spring, sortedBy: 'creationDate' },
	},
	{ fields: { last: true }, pageFields: { last: true } },
	{ fields: { totalPages: 3, number: 0 }, pageFields: { totalPages: 3, number: 0 } },
	{ fields: { page: counted }, pageFields: counted },
	{ fields: { pageable: { pageNumber: 1, pageSize: 2 } }, pageFields: { number: 1, size: 2 } },
];

/** Errors with status 200 (docs/service.md#errors). */
export const ERRORS: Json[] = [
	{ statusCode: 401, message: 'Access denied due to missing subscription key' },
	{ statusCode: '429', message: 'Rate limit is exceeded' },
	{ error: 'invalid_token', error_description: 'The token has expired' },
	{ errors: [{ message: 'size is too large', id: 'E1' }] },
	{ type: 'about:blank', title: 'Not Found', status: 404, detail: 'No such engagement' },
	{ timestamp: '2026-03-01T10:15:30', status: 500, error: 'Internal Server Error', path: '/v1' },
	{ message: 'Something went wrong' },
	{ error: { code: 17, message: 'no' }, content: [] },
	{ fault: { faultstring: 'quota' } },
	{ success: false },
	{ ok: false, message: '' },
	{ isSuccess: false, data: [] },
];
