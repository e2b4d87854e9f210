/** Whatever the service sends, a run ends, and its message is one for people. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { anyTarget, examples, type Target } from '../support/world/examples.mts';
import { makeCredential } from '../support/world/credentials.mts';
import { runNode, type NodeRun } from '../support/engine/nodeRun.mts';
import { Poller } from '../support/engine/poller.mts';
import { service, useService } from '../support/engine/runs.mts';
import { isLong } from '../support/long.mts';
import { startService } from '../support/service/http.mts';
import { fuzz } from './fuzz.mts';

jest.setTimeout(3_600_000);

/** After this many requests, a run is considered endless. */
const MAX_REQUESTS = 600;

useService(beforeAll, async () => await startService({ record: false }));

/** Responses are built as text, so that `__proto__` is a name like any other. */
const NAMES = `
	__proto__ constructor toString length content data items page sort last totalPages size error errors message
	id Id engagementId uploadId externalEngagementId name type scopes completionDate creationDate uploadStatus
	status connectorName Owner profiles steps sorting isRefreshable email periodId yearId action url redirectUrl
`;
const names = fc.constantFrom('', ...NAMES.trim().split(/\s+/));
const plain = fc.oneof(
	fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify(value)),
	fc.constantFrom('null', '0', '1e400', '9007199254740993', '"null"', '"2026-03-01T10:15:30"'),
	fc.string({ unit: 'binary', maxLength: 20 }).map((text) => JSON.stringify(text)),
);
const list = (entries: string[]) => `[${entries.join()}]`;
const object = (entries: Array<[string, string]>) =>
	`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;
const { any } = fc.letrec<{ any: string }>((tie) => ({
	any: fc.oneof(
		{ maxDepth: 5, depthSize: 'small' },
		plain,
		fc.array(tie('any'), { maxLength: 4 }).map(list),
		fc.array(fc.tuple(names, tie('any')), { maxLength: 6 }).map(object),
	),
}));

/** Lists and records as services send them, with oddities. */
const record = fc.array(fc.tuple(names, any), { maxLength: 8 }).map(object);
const pageField = fc.tuple(
	fc.constantFrom('last', 'totalPages', 'size'),
	fc.constantFrom('false', '1', '1000000000', '-1', '"7"', 'null', '{}'),
);
const page = fc
	.tuple(fc.array(record, { maxLength: 5 }), fc.array(pageField, { maxLength: 4 }))
	.map(([records, fields]) => object([['content', list(records)], ...fields]));
const response = fc.oneof(any, record, page);

/** Messages of the engine or a library in unforeseen cases. */
const CRASH =
	/Cannot (read|convert|destructure|mix|set)|is not (a function|iterable|defined|an object|extensible)|call stack|Invalid (time|array|string|regular)|Unexpected token|circular|prototype may only|\[object Object\]/;

interface Subject {
	name: string;
	parameters: (target: Target) => IDataObject;
}
const subjects: Subject[] = [
	...examples,
	{ name: 'trigger', parameters: () => ({ startFrom: 'beginning' }) },
];

/** Runs an operation or polls, and returns the error's message. */
async function play({ name, parameters }: Subject): Promise<string | undefined> {
	const credential = makeCredential(service, { timeZone: 'America/New_York' });
	const given = { credential, parameters: parameters(anyTarget) as NodeRun['parameters'] };
	if (name !== 'trigger') return (await runNode(given)).error?.message;
	return await new Poller(given).poll().then(
		() => undefined,
		(error: Error) => error.message,
	);
}

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const prototypes = () =>
	JSON.stringify(PROTOTYPES.map((each) => Object.getOwnPropertyNames(each).sort()));

it.each(subjects)('$name ends readably', async (subject) => {
	const before = prototypes();
	const property = fc.asyncProperty(response, async (text) => {
		let requests = 0;
		service.handle = () => {
			const status = ++requests > MAX_REQUESTS ? 418 : 200;
			return { response: { status, headers: {}, body: text } };
		};
		const message = await play(subject);
		expect(requests).toBeLessThanOrEqual(MAX_REQUESTS);
		if (message !== undefined) {
			expect(message).toMatch(/^(Could not |The data refresh |Engagement |No \w+ has )/);
			expect(message.replace(/The service said: “.*”/s, '')).not.toMatch(CRASH);
		}
		expect(prototypes()).toBe(before);
	});
	await fc.assert(property, fuzz(isLong ? 32 : 5));
});
