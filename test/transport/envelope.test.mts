/** A page is a list of records of its kind, or an error: no other response is “no records”. */
import { listEngagements } from '../../nodes/EngagementUploads/service/endpoints.ts';
import { kinds, uploadStart } from '../../nodes/EngagementUploads/service/records.ts';
import { refreshResult } from '../../nodes/EngagementUploads/service/refreshResult.ts';
import type { RecordKind } from '../../nodes/EngagementUploads/transport/request.ts';
import { listKinds } from '../support/world/kinds.mts';
import { countIn, recordIn } from './reading.mts';

const { company, connector, engagement, period, upload, user, workflow } = kinds;

type Json = Record<string, unknown>;

/** The bodies in a text, as services print them. */
const bodies = (text: string) => JSON.parse(`[${text}]`) as Json[];

/** Envelopes that say that the request has failed, beside an empty list or instead of one. */
const FAILURES = bodies(`
	{"success": false}, {"success": "false"}, {"isSuccess": false}, {"ok": false},
	{"succeeded": "No"}, {"Success": 0}, {"is_success": "N", "error": "x"},
	{"successful": "failed"}, {"response": {"success": false}},
	{"status": false}, {"status": "false"}, {"result": false}, {"status": false, "message": "Down"},
	{"error": "Token expired"}, {"error": true}, {"error": {"message": "Down"}}, {"err": "EACCES"},
	{"errors": ["x"]}, {"errors": {"page": "is too large"}}, {"errors": 2},
	{"errors": [{"message": "size is too large", "id": "E1"}]},
	{"hasError": true}, {"is_error": "true"}, {"haserrors": 1},
	{"fault": {"faultstring": "Down"}}, {"Fault": "x"},
	{"errorCode": "E17"}, {"error_code": 17}, {"errcode": 40001},
	{"errorMessage": "Down"}, {"errorMsg": "Down"},
	{"exception": "java.lang.Exception"}, {"failure": "x"}, {"failed": true},
	{"status": "error"}, {"status": "FAILED"}, {"status": "unauthorized"}, {"state": "timed out"},
	{"result": "error"}, {"type": "error"}, {"outcome": "failure"}, {"status": {"code": "ERROR"}},
	{"status": 404}, {"status": "500"}, {"meta": {"status": 500}}, {"httpStatus": "404 NOT_FOUND"},
	{"name": "NotFoundError", "message": "x"}, {"name": "java.io.IOException"},
	{"type": "about:blank", "title": "Forbidden", "detail": "x"},
	{"code": 401}, {"code": "403"}, {"code": "NOT_FOUND"}, {"code": "InternalError"},
	{"status_code": 400}, {"responseCode": 500},
	{"statusCode": 401, "message": "Access denied due to missing subscription key"},
	{"error": "invalid_token", "error_description": "The token has expired"},
	{"type": "about:blank", "title": "Not Found", "status": 404, "detail": "No such engagement"},
	{"timestamp": "2026-03-01T10:15:30", "status": 500, "error": "Internal Server Error"},
	{"status": "TOO_MANY_REQUESTS"}, {"code": "RATE_LIMIT_EXCEEDED"}, {"status": "QUOTA_EXCEEDED"},
	{"status": "RESOURCE_EXHAUSTED"}, {"code": "THROTTLED"}, {"status": "NOT_AUTHORIZED"},
	{"code": "NOT_PERMITTED"}, {"status": "METHOD_NOT_ALLOWED"}, {"status": "NOT_SUCCESSFUL"},
	{"status": "CONFLICT"}, {"code": "BAD_GATEWAY"}, {"status": "BLOCKED"}, {"status": "HTTP_500"},
	{"statusCodeValue": 429}, {"responseStatus": {"code": 500}}, {"Status": {"Code": "ERROR"}},
	{"responseHeader": {"status": 500}}, {"response": {"meta": {"status": 500}}},
	{"operationResult": {"success": false}},
	{"messages": [{"severity": "INFO"}, {"severity": "ERROR"}]}, {"status": [{"code": 500}]},
	{"error": "Not successful"}, {"error": "Cannot be read successfully"}, {"error": "Sign-in failed: success"},
	{"error": "A successful sign-in is required"}, {"success": "N"}, {"success": "f"}, {"success": -1}, {"authorized": false},
	{"Meta": {"StatusCode": 500, "Message": "x"}}, {"metaData": {"status": "error"}}, {"isSuccessStatusCode": false},
	{"succeed": false}, {"successFlag": "N"}, {"successStatus": "FAILED"}, {"isSuccessStatus": false}, {"success_indicator": false}
`);

it.each(FAILURES)('%j is an error, whatever is beside it', (failure) => {
	for (const more of [{}, { data: null }, { content: [] }, { data: { items: [] } }])
		for (const { kind } of listKinds)
			expect([more, countIn({ ...failure, ...more }, kinds[kind] as RecordKind)]).toEqual([
				more,
				'it is an error',
			]);
	for (const kind of [company, workflow, refreshResult, uploadStart] as RecordKind[])
		expect(recordIn({ ...failure, data: null }, kind)).toBe('it is an error');
});

/** What an envelope may say without an error. */
const HARMLESS = bodies(`
	{"success": true}, {"success": "true"}, {"success": null}, {"ok": 1}, {"successCount": 0},
	{"error": false}, {"error": null}, {"error": ""}, {"error": "none"},
	{"error": {"code": 0, "message": null}}, {"errors": []}, {"errors": {}}, {"errors": 0},
	{"errors": [null]}, {"hasError": "false"}, {"noErrors": true}, {"failedCount": 0},
	{"errorCode": 0}, {"errorCode": "0000"}, {"errorCode": 200, "errorMessage": "OK"},
	{"errorCode": 0, "errorMessage": "Operation successful"}, {"errorMessage": "No errors found"},
	{"errorMessage": "Request processed successfully."}, {"errorMessage": "No error occurred"},
	{"error": {"code": "0000", "message": "Completed successfully"}},
	{"hasError": "N"}, {"errorFlag": "N"}, {"error": "-"},
	{"errcode": 0, "errmsg": "ok"}, {"errorMessage": "No error"}, {"exception": null},
	{"status": "success"}, {"status": "OK"}, {"status": 201}, {"status": "NO_ERROR"},
	{"status": "0 errors"}, {"status": 0}, {"status": "0"}, {"status": true}, {"status": null}, {"status": {"code": 0}}, {"meta": {"status": 200, "errors": []}},
	{"code": 0}, {"code": 200}, {"code": "200"}, {"code": "OK"}, {"code": 600},
	{"warnings": ["Deprecated"]}, {"warnings": {"code": 404}},
	{"messages": []}, {"message": "Success"}, {"message": "Success. No data found"},
	{"message": "OK - no records"}, {"default": "x"}, {"defaultSort": "Id"}, {"successStatusCode": 0}, {"message": "Success. Not uploaded yet"},
	{"filter": {"status": "FAILED"}}, {"sort": {"property": "status"}},
	{"responseStatus": {"code": 200}}, {"success": "Y"}, {"Meta": {"StatusCode": 200}}, {"isSuccessStatusCode": true},
	{"details": []}, {"facets": [{"name": "x"}], "columns": [{"id": 1}]}, {"tags": ["x"]},
	{"totalElements": 0, "last": true, "empty": true}, {"page": {"totalElements": 0}, "_links": {}}
`);

it.each(HARMLESS)('%j is no error: an empty list stays empty, and records are read', (envelope) => {
	expect(countIn({ ...envelope, content: [] })).toBe(0);
	expect(countIn({ ...envelope, data: null })).toBe(0);
	expect(countIn({ ...envelope, data: { content: [] } })).toBe(0);
	expect(countIn({ ...envelope, content: [{ uploadId: 'a', uploadStatus: 'ERROR' }] })).toBe(1);
});

/** Messages without a word of success, from which nobody can tell whether it is an error. */
const MESSAGES = bodies(`
	{"message": "Token expired"}, {"msg": "No permission"}, {"code": 200, "message": "Try later"},
	{"detail": "Not successful"}, {"meta": {"message": "Gone"}}, {"messages": ["Bad page"]},
	{"message": "Login successful, user not allowed here"}
`);

it.each(MESSAGES)('beside %j, an empty list is believed, but not null or total 0', (envelope) => {
	for (const more of [{ data: null }, { totalElements: 0 }, { content: null, totalPages: 0 }])
		expect(countIn({ ...envelope, ...more })).toBe('it contains no list');
	expect(countIn({ ...envelope, data: [] })).toBe(0);
});

it.each(
	bodies(`
		{"code": 8, "message": "rate limit exceeded", "details": []},
		{"message": "Access is denied", "validationErrors": []}, {"message": "x", "fieldErrors": []},
		{"message": "x", "subErrors": []}, {"message": "x", "violations": []},
		{"message": "x", "stackTrace": []}, {"message": "x", "invalid-params": []},
		{"uploads": [{"upload_id": "a"}], "facets": []}, {"uploads": [{"upload_id": "a"}], "tags": []},
		{"content": [], "uploads": [{"upload_id": "a"}]},
		{"content": [], "uploads": [{"uploadId": "a"}], "others": [{"uploadId": "b"}]}
	`),
)('%j is no empty list', (body) => {
	expect(countIn(body)).toBe('it contains no list');
});

it.each(
	bodies(`
		{"data": [], "uploads": [{"uploadId": "a"}]}, {"content": [], "items": [{"uploadId": "a"}]},
		{"data": {"content": []}, "uploads": [{"uploadId": "a"}]},
		{"uploads": [{"uploadId": "a"}], "facets": [], "tags": [{"label": "x"}]}
	`),
)('the list of %j is the one that has records', (body) => {
	expect(countIn(body)).toBe(1);
});

it.each<[what: string, kind: RecordKind, record: Json]>([
	['an upload', upload, { uploadId: 'a', status: 'ERROR', error: 'broken file', success: false }],
	['an engagement', engagement, { Id: 7, status: 'FAILED' }],
	['a connector', connector, { id: '7', isRefreshable: 'No', status: 'error' }],
	['a user', user, { id: 7, email: 'a@example.com', statusCode: 'EXPIRED', status: 0 }],
])('%s may say that it has failed, alone and in a list', (_what, kind, record) => {
	for (const body of [record, { data: record }, [record], { content: [record] }])
		expect(countIn(body, kind)).toBe(1);
});

it('a workflow may have failed, and a company needs any of its fields', () => {
	const [failed, unfinished] = [{ uploadId: 'a', status: 'FAILED' }, { lastUpdate: 'x' }];
	expect(recordIn({ data: failed }, workflow)).toBe(failed);
	expect(recordIn({ data: { ...unfinished, status: 'ERROR' } }, workflow)).toMatchObject(
		unfinished,
	);
	for (const name of ['ACME', 'Human Error', 'Exception Ltd'])
		expect(recordIn({ name }, company)).toEqual({ name });
	expect(recordIn({ name: 'NotFoundError', status: 404 }, company)).toBe('it is an error');
});

it.each<[RecordKind, Json[], RegExp]>([
	[upload, [{ upload_id: 'a', upload_status: 'x' }], /spelled fields \(upload_id, upload_status\)/],
	[upload, [{ UploadId: 'a' }, { UploadId: 'b' }], /differently spelled fields \(UploadId\)/],
	[upload, [{ upload: { uploadId: 'a' } }], /none of its records has the field uploadId/],
	[upload, [{ uploadId: null }, {}], /none of its records/],
	[engagement, [{ Id: 1, Name: 'a', ExternalEngagementId: 'x' }], /fields \(Name, External/],
	[engagement, [{ id: 1, name: 'a', created_at: 'x' }], /spelled fields \(created_at\)/],
	[engagement, [{ externalEngagementId: 'x' }], /none of its records has the field Id or id or/],
	[engagement, [{ engagement: { Id: 1 } }], /none of its records/],
	[user, [{ id: 1, first_name: 'Ann' }], /differently spelled fields \(first_name\)/],
	[user, [{ firstName: 'Ann' }], /none of its records/],
	[connector, [{ id: 1, name: 'a', isrefreshable: true }], /spelled fields \(isrefreshable\)/],
	[period, [{ uploadId: 'a', startDate: 'x' }], /none of its records has the field periodId/],
])('%# records that are not of their kind are an error: %j', (kind, records, why) => {
	for (const body of [records, { content: records, totalElements: records.length }])
		expect(countIn(body, kind)).toMatch(why);
});

it.each<[RecordKind, Json[]]>([
	[upload, [{ uploadId: 'a' }, {}]],
	[engagement, [{ Id: 1 }]],
	[engagement, [{ id: '1', name: 'a', Status: 'x', createdAt: 1 }]],
	[engagement, [{ engagementId: 1, relationshipManager: 'x' }]],
	[user, [{ id: 1, unknown_field: 'x' }]],
	[user, [{ email: 'a@example.com' }]],
	[period, [{ periodId: '1' }]],
])('%# records may lack fields, and have others: %j', (kind, records) => {
	expect(countIn({ content: records }, kind)).toBe(records.length);
});

it('records found by external ID, none of which has one, are an error', () => {
	const { kind } = listEngagements({ externalEngagementId: 'a,b' });
	expect(countIn([{ Id: 1, name: 'a' }], kind)).toMatch(/none of its records has .*externalEng/);
	expect(countIn([{ Id: 1 }, { Id: 2, externalEngagementId: 'a' }], kind)).toBe(2);
	expect(countIn([], kind)).toBe(0);
	expect(countIn([{ Id: 1 }], listEngagements({ page: 0 }).kind)).toBe(1);
});

it.each([
	[{ a: { uploadId: 'a' }, b: { uploadId: 'b' } }, 'several records, but not as a list'],
	[{ data: { 1: { uploadId: 'a' }, 2: { uploadId: 'b' } } }, /several records/],
	[{ content: [[{ uploadId: 'a' }]] }, /something other than records/],
	[['a', 'b'], /something other than records/],
	[{ content: [{ uploadId: 'a' }, 'text'] }, /something other than records/],
	[{ content: [null, null] }, /something other than records/],
	[{ data: 'none' }, 'it contains no list'],
	['[{"uploadId":"a"}]', /not JSON/],
	['{"uploadId":"a"}\n{"uploadId":"b"}', /not JSON/],
	[{ message: 'Hello' }, 'it contains no list'],
	[{ one: [{ uploadId: 'a' }], other: [{ uploadId: 'b' }] }, 'it contains no list'],
	[null, 'it is not a list'],
	[true, 'it is not a list'],
	[0, 'it is not a list'],
	[{}, 'it contains no list'],
])('%# %j is neither a list nor a record', (body, why) => {
	expect(countIn(body)).toMatch(why);
});
