/** Whatever the service says about a failure, describing it must not hold up the n8n that all share. */
import { Redactor } from '../../../nodes/EngagementUploads/transport/failures/redact.ts';
import { extractServiceMessage } from '../../../nodes/EngagementUploads/transport/failures/serviceMessage.ts';
import { startCpuTime } from '../../support/cpuTime.mts';

/** Characters in a body. */
const SIZE = 990_000;

const times = (text: string, size: number) => text.repeat(Math.ceil(size / text.length));
const list = (entry: (index: number) => string, size: number) => {
	const count = Math.ceil(size / entry(0).length);
	return Array.from({ length: count }, (_, index) => entry(index)).join(',');
};

/** Bodies that are awkward for one part or another. */
const hostile: Record<string, string> = {
	'deeply nested messages': `{"message":${times('[', SIZE / 2)}${times(']', SIZE / 2)}}`,
	'broadly nested messages': `{"message":[${list(() => `[${list(() => '[[[],[]]]', 100)}]`, SIZE)}]}`,
	'long field names': `{"errors":{"${times('n', SIZE / 2)}":[${list((at) => `"e${at}"`, SIZE / 2)}]}}`,
	'many long field names': `{"errors":{${list((at) => `"${times('n', 50_000)}${at}":["a","b"]`, SIZE)}}}`,
	'many fields': `{${list((at) => `"field${at}":"is bad"`, SIZE)}}`,
	'many errors by field': `{"errors":{${list((at) => `"f${at}":["is bad"]`, SIZE)}}}`,
	'many errors': `{"errors":[${list((at) => `{"message":"m${at}","field":"f"}`, SIZE)}]}`,
	'the same message many times': `{"message":[${list(() => '"a"', SIZE)}]}`,
	'messages within messages': `{"message":"${times('ab', SIZE / 2)}","detail":"${times('ab', SIZE / 2 - 10)}c"}`,
	blanks: `{"message":"a${times(' ', SIZE)}b"}`,
	'a web page that never ends': `<html>${times('<script', SIZE)}`,
	'open tags': `<p>${times('<', SIZE)}`,
	escapes: times('&#x41;%41\\u0041', SIZE),
	tokens: times('eyJhbGciOi.', SIZE),
	text: times('a', SIZE),
};

const redactor = new Redactor([times('k3y-', 2500), 'subscription-key-5d0b7a1e93c84f26', 'a1b2']);

it.each(Object.entries(hostile))('%s are read in a moment', (_what, body) => {
	const milliseconds = startCpuTime();
	extractServiceMessage(body, redactor);
	// Work that grows with the square takes minutes.
	expect(milliseconds()).toBeLessThan(1000);
});

it('parts of long messages stay masked where they are cut', () => {
	const secret = 'subscription-key-5d0b7a1e93c84f26';
	for (let before = 3950; before < 4010; before += 7) {
		const shown = extractServiceMessage(`${'x'.repeat(before)} ${secret}`, redactor) ?? '';
		expect(shown).not.toMatch(/subscrip|key-5d0b/);
	}
});
