import { codeIn, referencesIn } from './references.mts';

/** References as text: the node, if it is not the input, and the path. */
const found = (code: string) =>
	referencesIn(code).map(({ node, path }) =>
		[...(node === undefined ? [] : [node]), ...path].join(':'),
	);

it.each([
	['$json.a', ['a']],
	['$json["a"]?.b ?? $json.c', ['a:b', 'c']],
	['JSON.stringify({ text: `${$json.a}: ${$json.b}` })', ['a', 'b']],
	['{ x: $json.a }[$json.b]', ['a', 'b']],
	['$json.lines.join($json.separator)', ['lines:join', 'separator']],
	['$("N").item.json.a', ['N:a']],
	['$("N").first().json.a + $("N").last().json.b', ['N:a', 'N:b']],
	['$("N").first().json[$json.key].c', ['key']],
	['$input.first().json.a', ['a']],
	['$node["N"].json.a', ['N:a']],
	['$node.N.json["a"]', ['N:a']],
	['$("N").all()[0].json.a', ['N:a']],
	['$("N").all().map((item) => item.json.a).join()', ['N:a']],
	['$("N").all().map(({ json }) => json).filter((each) => each.a > $json.b)', ['N:a', 'b']],
	['$("N").all().filter(({ json: { a } }) => a)', ['N:a']],
	['$input.all().reduce((sum, { json }) => sum + json.a, 0)', ['a']],
	['$("N").all().find((item) => item.json.a).json.b', ['N:a', 'N:b']],
	['const item = $input.first(); return [{ json: { x: item.json.a } }];', ['a']],
	['const { a, b: c } = $json; return [];', ['a', 'b']],
	['for (const item of $("N").all()) { item.json.x = 1; }\nreturn [];', ['N:x']],
	['$now.toISO() + $execution.id + $vars.a + other.json.a', []],
])('%s', (code, references) => {
	expect(found(code).sort()).toEqual([...references].sort());
});

it('takes only expressions, and all code', () => {
	expect(codeIn('text', '{{ $json.a }}')).toEqual([]);
	expect(codeIn('text', '=Hello {{ $json.a }}, {{ {a: 1}[$json.b] }}')).toEqual([
		' $json.a ',
		' {a: 1}[$json.b] ',
	]);
	expect(codeIn('jsCode', 'return [];')).toEqual(['return [];']);
});

it('says which code cannot be read', () => {
	expect(() => referencesIn('$json.a +')).toThrow('$json.a +');
});
