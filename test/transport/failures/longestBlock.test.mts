/** Whatever the service says about a failure, describing it must not hold up the n8n that all share. */
import { Redactor } from '../../../nodes/EngagementUploads/transport/failures/redact.ts';
import { extractServiceMessage } from '../../../nodes/EngagementUploads/transport/failures/serviceMessage.ts';
import { startCpuTime } from '../../support/cpuTime.mts';

const times = (text: string, size: number) => text.repeat(Math.ceil(size / text.length));
const list = (entry: (index: number) => string, size: number) => {
	const count = Math.ceil(size / entry(0).length);
	return Array.from({ length: count }, (_, index) => entry(index)).join(',');
};

/** Bodies of about a size that are awkward for one part or another. */
const hostile: Record<string, (size: number) => string> = {
	'deeply nested messages': (size) => `{"message":${times('[', size / 2)}${times(']', size / 2)}}`,
	'broadly nested messages': (size) =>
		`{"message":[${list(() => `[${list(() => '[[[],[]]]', 100)}]`, size)}]}`,
	'long field names': (size) =>
		`{"errors":{"${times('n', size / 2)}":[${list((at) => `"e${at}"`, size / 2)}]}}`,
	'many long field names': (size) =>
		`{"errors":{${list((at) => `"${times('n', 50_000)}${at}":["a","b"]`, size)}}}`,
	'many fields': (size) => `{${list((at) => `"field${at}":"is bad"`, size)}}`,
	'many errors by field': (size) => `{"errors":{${list((at) => `"f${at}":["is bad"]`, size)}}}`,
	'many errors': (size) => `{"errors":[${list((at) => `{"message":"m${at}","field":"f"}`, size)}]}`,
	'the same message many times': (size) => `{"message":[${list(() => '"a"', size)}]}`,
	'messages within messages': (size) =>
		`{"message":"${times('ab', size / 2)}","detail":"${times('ab', size / 2 - 10)}c"}`,
	blanks: (size) => `{"message":"a${times(' ', size)}b"}`,
	'a web page that never ends': (size) => `<html>${times('<script', size)}`,
	'open tags': (size) => `<p>${times('<', size)}`,
	escapes: (size) => times('&#x41;%41\\u0041', size),
	tokens: (size) => times('eyJhbGciOi.', size),
	text: (size) => times('a', size),
};

const redactor = new Redactor([times('k3y-', 2500), 'subscription-key-5d0b7a1e93c84f26', 'a1b2']);

function millisecondsFor(body: string): number {
	const milliseconds = startCpuTime();
	extractServiceMessage(body, redactor);
	return milliseconds();
}

it.each(Object.entries(hostile))('%s take time in proportion', (_what, bodyOf) => {
	const [small, large] = [bodyOf(125_000), bodyOf(990_000)];
	millisecondsFor(small);
	const taken = Math.min(...[1, 2, 3].map(() => millisecondsFor(large)));
	const expected = 8 * Math.max(...[1, 2, 3].map(() => millisecondsFor(small)));
	// Twice the proportion, and some more; a square would be eight times as much.
	expect(taken).toBeLessThan(2 * expected + 100);
	expect(taken).toBeLessThan(1000);
});

it('parts of long messages stay masked where they are cut', () => {
	const secret = 'subscription-key-5d0b7a1e93c84f26';
	for (let before = 3950; before < 4010; before += 7) {
		const shown = extractServiceMessage(`${'x'.repeat(before)} ${secret}`, redactor) ?? '';
		expect(shown).not.toMatch(/subscrip|key-5d0b/);
	}
});
