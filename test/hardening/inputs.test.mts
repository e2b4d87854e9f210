import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { examples, toPattern } from '../support/world/examples.mts';
import type { ParameterField } from '../support/world/parameterFields.mts';
import { run } from '../support/engine/runs.mts';
import { isLong } from '../support/long.mts';
import type { SimulatedService } from '../support/service/http.mts';
import type { RecordedRequest } from '../support/service/log.mts';
import { ROUTES } from '../support/service/routes.mts';
import { fuzz } from './fuzz.mts';
import { toSubject, parametersFor, makeWorld } from './subjects.mts';

jest.setTimeout(3_600_000);

/** Tested in every field by `npm run test:long`, and otherwise each of them in every third one. */
const WORDS = `
	../users .. . / \\ a/b a\\b %2f %2e%2e%2fusers ..%2f..%2fusers a?b=c a#b a&size=9 a;b
	{clientId} %7BclientId%7D $json //evil.example/ http://evil.example @evil.example
	1001 01001 1e3 0x3e9 1001.0 -1001 true null NaN 😀 👩‍👩‍👧 １００１
	2026-02-30 2026-03-01T10:15.5Z 10000-01-01 {"constructor":1} {"page":7} [1] {"sme":null}
`;
const CHARACTERS = [
	' ',
	'\t',
	'a\nb',
	'\u0000',
	'\ud800',
	'\u202e1001',
	'a\r\nX-Injected: yes\r\n\r\n',
];
const LONG = ['ß'.repeat(300), 'x'.repeat(5000), '9'.repeat(40)];
const SCALARS = [0, -1, 1001, 1001.5, 1e21, Number.MAX_SAFE_INTEGER + 1, true, false, null];
const LISTS = [[], [1001], ['1001', null], [[1001]]];
const OBJECTS: object[] = [{}, { id: 1001 }, { value: '1001' }, { toString: null }];
const JSON_TEXTS = ['{{ 1 }}', '{"__proto__": {"x": 1}}', '{"a": [{}]}'];
const hostile: unknown[] = WORDS.trim().split(/\s+/).concat(CHARACTERS, LONG, JSON_TEXTS);
hostile.push(...SCALARS, ...LISTS, ...OBJECTS);
const anything = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 40 }),
	fc.string({ unit: fc.constantFrom(...'./\\%2fe?#&=\r\n:;,{}1a'), maxLength: 12 }),
	fc.jsonValue({ maxDepth: 2 }),
);

const PATTERNS = ROUTES.map(({ method, path }) => ({ method, pattern: toPattern(path) }));
const HEADERS =
	/^(host|accept|accept-encoding|authorization|connection|content-(type|length)|ocp-apim-subscription-key|user-agent)$/;

const isDocumented = ({ method, path, headers, url }: RecordedRequest) =>
	PATTERNS.some((each) => each.method === method && each.pattern.test(path)) &&
	!path.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part)) &&
	/^[\x21-\x7e]+$/.test(url) &&
	Object.keys(headers).every((name) => HEADERS.test(name));

const EXPRESSION = '={{ $json.value }}';
const all = examples.flatMap((example) =>
	example.fields.map((field) => ({ subject: toSubject(example), field })),
);
/** Those for paths in each operation, and others, which many operations share, in each kind of them. */
const cases = all
	.filter((each, at) => all.findIndex((one) => toKey(one) === toKey(each)) === at)
	.map((each, at) => ({
		...each,
		given: hostile.filter((_, index) => isLong || (index + at) % 3 === 0),
	}));

function toKey({ subject, field: { name } }: (typeof all)[number]): string {
	return `${/Id|Name/.test(name) ? subject.name : subject.kind} ${name}`;
}

let service: SimulatedService;
afterEach(async () => await service.close());

it.each(cases)(
	'$subject.name: no $field.name changes the path',
	async ({ subject, field, given }) => {
		service = await makeWorld(subject);
		const base: IDataObject = parametersFor(subject, service);
		if (field.name === 'limit') delete base.returnAll;
		// The input may turn on a wait.
		const waits = field.name === 'waitForCompletion';
		if (waits) base.options = { waitInterval: 0.001, waitTimeout: 0.001 };
		const parameters = field.fill(base, EXPRESSION);
		const more = fc.array(anything, { minLength: 10, maxLength: 10 });
		const property = fc.asyncProperty(more, async (drawn) => {
			const values = [...given, ...drawn];
			const items = values.map((value) => ({ value }) as IDataObject);
			const onError = 'continueRegularOutput';
			const result = await run(service, parameters, items, { onError });
			expect(service.requests.filter((request) => !isDocumented(request))).toEqual([]);
			const explained = result.items.filter(({ json }) => 'error' in json);
			const unclear = explained.filter(({ json }) => !isClear(String(json.error), field));
			expect(unclear.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([]);
			const paired = new Set(result.items.map(({ pairedItem }) => JSON.stringify(pairedItem)));
			if (subject.kind !== 'list') expect(paired.size).toBe(values.length);
		});
		await fc.assert(property, fuzz(1));
	},
);

/** The message names the field, or says how the service responded, and quotes no long value. */
function isClear(error: string, { label }: ParameterField): boolean {
	if (/(.)\1{100}/u.test(error)) return false;
	return error.includes(label) || /^(Could not|The refreshed upload) /.test(error);
}
