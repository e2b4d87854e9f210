import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { anyTarget, examples } from '../support/examples.mts';
import { listKinds } from '../support/kinds.mts';
import { CREDENTIAL } from '../support/credentials.mts';
import { runNode, type NodeRun } from '../support/engine/run.mts';
import { createPoller } from '../support/engine/poll.mts';
import { fuzz } from './fuzz.mts';
import { HostileService } from './hostileService.mts';
import { subjectOf, subjects, type Subject } from './subjects.mts';

jest.setTimeout(3_600_000);

const service = new HostileService();
beforeAll(async () => await service.start());
afterAll(async () => await service.stop());

/** Responses are built as text, so that `__proto__` is a name like any other. */

const names = fc.constantFrom(
	...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', ''],
	...['content', 'data', 'items', 'records', '_embedded', 'page', 'meta', 'links', 'sort'],
	...['last', 'first', 'totalPages', 'totalElements', 'number', 'size', 'numberOfElements'],
	...['id', 'Id', 'engagementId', 'uploadId', 'externalEngagementId', 'name', 'type', 'scopes'],
	...['completionDate', 'creationDate', 'createdAt', 'uploadStatus', 'status', 'connectorName'],
	...['Owner', 'Sme', 'profiles', 'steps', 'sorting', 'started', 'isRefreshable', 'email'],
	...['periodId', 'yearId', 'action', 'url', 'redirectUrl', 'error', 'errors', 'message'],
);
const plain = fc.oneof(
	fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify(value)),
	fc.constantFrom('null', 'true', 'false', '0', '-1', '1', '1e308', '1e400', '9007199254740993'),
	fc.constantFrom(
		'""',
		'"null"',
		'"2026-03-01T10:15:30"',
		'"9999-99-99"',
		'1772360130123',
		'-1e15',
	),
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
const oddObject = fc.array(fc.tuple(names, any), { maxLength: 8 }).map(object);
const oddPage = fc
	.tuple(
		fc.constantFrom('content', 'data', 'items', '_embedded'),
		fc.array(fc.oneof(oddObject, fc.constant('null')), { maxLength: 5 }).map(list),
		fc.array(
			fc.tuple(
				fc.constantFrom('last', 'totalPages', 'totalElements', 'number', 'size'),
				fc.constantFrom('false', 'true', '0', '1', '2', '1000000000', '-1', '"7"', 'null', '{}'),
			),
			{ maxLength: 4 },
		),
	)
	.map(([name, records, page]) => object([[name, records], ...page]));
const response = fc.oneof(
	any,
	oddObject,
	oddObject.map((one) => `[${one}]`),
	oddPage,
	oddPage,
);

/** Messages of the engine or a library in unforeseen cases. */
const CRASH =
	/Cannot (read|convert|destructure|mix|set)|is not (a function|iterable|defined|an object|extensible)|call stack|Invalid (time|array|string|regular)|Unexpected token|circular|prototype may only|toString|\[object Object\]/;

async function outcomeOf(
	subject: Subject,
	over: IDataObject,
	text: string,
): Promise<{ items: IDataObject[]; message?: string; isEndless: boolean }> {
	const { baseUrl, isEndless } = service.startRun(text);
	const credentials = {
		[CREDENTIAL]: {
			baseUrl,
			clientId: 'a-client',
			subscriptionApiKey: 'a-key-0123456789',
			authentication: 'accessToken',
			accessToken: 'a-token-0123456789',
			timeZone: 'America/New_York',
		},
	};
	const all = withoutWaits(subject, over) as NodeRun['parameters'];
	if (subject.kind === 'trigger') {
		const given = { credentials, parameters: all };
		const [polled] = await Promise.allSettled([createPoller(given).poll()]);
		const items = polled.status === 'fulfilled' ? (polled.value ?? []) : [];
		const message = polled.status === 'fulfilled' ? undefined : (polled.reason as Error).message;
		return { items: items.map(({ json }) => json), message, isEndless: isEndless() };
	}
	const { items, error } = await runNode({ credentials, parameters: all });
	return { items: items.map(({ json }) => json), message: error?.message, isEndless: isEndless() };
}

/** Parameters that avoid waiting. */
function withoutWaits({ kind, parameters }: Subject, over: IDataObject): IDataObject {
	const options = { waitInterval: 0.001, waitTimeout: 0 };
	return { ...parameters(anyTarget), ...(kind === 'wait' && { options }), ...over };
}

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const prototypes = () =>
	JSON.stringify(PROTOTYPES.map((each) => Object.getOwnPropertyNames(each).sort()));

describe.each(subjects.map((subject) => [subject.name, subject] as const))(
	'%s',
	(_name, subject) => {
		it.each(['simplified', 'raw'])(
			'ends with a readable result for any response (%s)',
			async (output) => {
				const before = prototypes();
				await fc.assert(
					fc.asyncProperty(response, async (text) => {
						const { message, isEndless } = await outcomeOf(subject, { output }, text);
						expect(isEndless).toBe(false);
						if (message !== undefined) {
							expect(message).toMatch(/^(Could not |The data refresh |Engagement )/);
							expect(message.replace(/The service said: “.*”/s, '')).not.toMatch(CRASH);
						}
						expect(prototypes()).toBe(before);
					}),
					fuzz(16),
				);
			},
		);
	},
);

const WRAPPERS: Array<(records: string) => string> = [
	(records) => records,
	(records) => `{"content":${records},"last":true}`,
	(records) => `{"data":${records},"totalPages":1,"number":0}`,
	(records) => `{"_embedded":{"things":${records}},"page":{"totalPages":1,"number":0}}`,
	(records) => `{"sort":[{"property":"id"}],"last":true,"records":${records},"__proto__":[{}]}`,
];
const free = fc
	.array(fc.tuple(fc.constantFrom('__proto__', 'constructor', 'memo', 'content', 'x'), any), {
		maxLength: 3,
	})
	.map((entries) => entries.map(([name, value]) => `,${JSON.stringify(name)}:${value}`).join(''));
/** Records with their IDs, and `null` entries in between. */
const records = fc
	.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 99 }), free), {
		maxLength: 25,
		selector: ([id]) => id,
	})
	.chain((all) =>
		fc.array(fc.nat(all.length), { maxLength: 3 }).map((gaps) => withNulls(all, gaps)),
	);

function withNulls<T>(all: readonly T[], gaps: readonly number[]): Array<T | null> {
	return gaps.reduce<Array<T | null>>((some, at) => some.toSpliced(at, 0, null), [...all]);
}

/** Every operation that returns what is in a list, and the fields that identify its records. */
const listed = examples.flatMap((each) => {
	const identity = listKinds.find(({ kind }) => kind === each.listOf)?.numbered;
	const isRaw = Object.hasOwn(each.operation.fields, 'output');
	return identity && isRaw ? [{ subject: subjectOf(each), identity }] : [];
});

describe.each(listed)('$subject.name', ({ subject, identity }) => {
	it('neither loses nor invents a record', async () => {
		const given = fc.tuple(records, fc.constantFrom(...WRAPPERS));
		await fc.assert(
			fc.asyncProperty(given, async ([sent, wrap]) => {
				const texts = sent.map((each) =>
					each === null ? 'null' : `${JSON.stringify(identity(each[0])).slice(0, -1)}${each[1]}}`,
				);
				const { items, message } = await outcomeOf(
					subject,
					{ output: 'raw' },
					wrap(`[${texts.join()}]`),
				);
				expect(message).toBeUndefined();
				const expected = texts.filter((text) => text !== 'null');
				expect(items.map((item) => JSON.stringify(item))).toEqual(
					expected.map((text) => JSON.stringify(JSON.parse(text))),
				);
			}),
			fuzz(16),
		);
	});
});
