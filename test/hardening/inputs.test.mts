/** Whatever is entered, no request leaves its documented path. */
import type { IDataObject } from 'n8n-workflow';

import { onErrorContinue, run, service } from '../support/engine/runs.mts';
import type { RecordedRequest } from '../support/service/log.mts';
import { ROUTES, toPattern } from '../support/service/routes.mts';
import { anyTarget, examples } from '../support/world/examples.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeEach);

const WORDS = `
	../users .. . / \\ a/b a\\b %2f %2e%2e%2fusers ..%2f..%2fusers a?b=c a#b a&size=9 a;b
	{clientId} %7BclientId%7D $json //evil.example/ http://evil.example @evil.example 1001 01001 1e3 -1001 😀
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
const hostile: unknown[] = [
	...WORDS.trim().split(/\s+/),
	...CHARACTERS,
	'ß'.repeat(300),
	1001.5,
	[1001],
	{ id: 1 },
];

const PATTERNS = ROUTES.map(({ method, path }) => ({ method, pattern: toPattern(path) }));
const HEADERS =
	/^(host|accept|accept-encoding|authorization|connection|content-(type|length)|ocp-apim-subscription-key|user-agent)$/;
const isDocumented = ({ method, path, headers, url }: RecordedRequest) =>
	PATTERNS.some((each) => each.method === method && each.pattern.test(path)) &&
	!path.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part)) &&
	/^[\x21-\x7e]+$/.test(url) &&
	Object.keys(headers).every((name) => HEADERS.test(name));

const cases = examples.flatMap((example) =>
	example.fields.filter(({ name }) => /Id|Name/.test(name)).map((field) => ({ example, field })),
);

it.each(cases)('$example.name: no $field.name changes the path', async ({ example, field }) => {
	const items = hostile.map((value) => ({ value }) as IDataObject);
	const parameters = field.fill(example.parameters(anyTarget), '={{ $json.value }}');
	await run(service, parameters, items, onErrorContinue);
	expect(service.requests.filter((request) => !isDocumented(request))).toEqual([]);
});
