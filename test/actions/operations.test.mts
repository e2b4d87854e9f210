import type { IDataObject } from 'n8n-workflow';

import { simplify } from '../../nodes/EngagementUploads/service/kind.ts';
import { kinds, type KindName } from '../../nodes/EngagementUploads/service/records.ts';
import { advising } from '../support/advice.mts';
import {
	anyTarget,
	example,
	examples,
	hasRaw,
	toPattern,
	toTarget,
	type Example,
	type Target,
} from '../support/world/examples.mts';
import type { RecordedRequest } from '../support/service/log.mts';
import { readOutput, run, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

let target: Target;

useSmallWorld(beforeEach);
beforeEach(() => {
	target = toTarget(service);
});

/** The request that is documented for an example. */
const toDocumentedPath = ({ method, path }: Example) =>
	service.requests.find((each) => each.method === method && toPattern(path).test(each.path));

describe.each(examples)('$name', (each) => {
	const { parameters, method, body, lookups, output, url } = each;
	/** The documented request; fails if there is any other than its lookups. */
	const documented = () => {
		const sent = toDocumentedPath(each) as RecordedRequest;
		const others = service.requests.filter((other) => other !== sent);
		const lines = others.map((other) => `${other.method} ${other.url}`);
		expect(lines.sort()).toEqual(lookups?.(target).sort() ?? []);
		return sent;
	};

	it('sends the documented request', async () => {
		await readOutput(service, parameters(target));
		const sent = documented();
		const advice =
			'Correct service/endpoints.ts, or “request” and “query” in test/support/world/operations.mts. Pages need “pageSize” among the operation’s options';
		advising(advice, () => expect(`${sent.method} ${sent.url}`).toBe(`${method} ${url(target)}`));
		expect(sent.body).toEqual(body);
		expect(sent.headers).toMatchObject({
			authorization: `Bearer ${service.accessToken}`,
			'ocp-apim-subscription-key': service.subscriptionKey,
			accept: 'application/json',
			...(body && { 'content-type': 'application/json' }),
		});
	});

	it('returns its records, linked to their item', async () => {
		const { items, error } = await run(service, parameters(target));
		expect(error).toBeUndefined();
		if (items.length === 0)
			throw new Error('No record was returned: add one to test/support/world/smallWorld.mts');
		advising('If this is meant, run: npm run docs', () => expect(items[0]?.json).toEqual(output()));
		expect(items.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(true);
	});
});

/** Filters that the node applies itself, and a value that leaves out some of what the small world has. */
const applied: IDataObject = {
	dataStatuses: ['stuck'],
	'filters.connectorNames': 'desk-ledger',
	'filters.outcomes': ['failed'],
	'filters.refreshable': 'no',
	'filters.relationshipManagers': 'Nobody',
	'filters.statuses': 'DISABLED',
	'filters.type': 'offline',
	'filters.uploadStatuses': 'FAILED',
	'filters.userType': 'sme',
};

/** Fields of which nothing is sent as it is; like Options, they are tested elsewhere. */
const others = ['fields', 'limit', 'output', 'returnAll', 'sort.direction', 'splitSteps'].concat(
	['waitForCompletion', 'waitTimeout', 'staleAfter', 'stuckAfter'],
	Object.keys(applied),
);

const applying = examples.flatMap((example) =>
	example.fields
		.filter(({ name }) => name in applied)
		.map((field) => ({ ...example, title: `${example.name}: ${field.name}`, field })),
);

it.each(applying)('$title leaves out what does not match', async ({ field, parameters }) => {
	const count = async (given: IDataObject) => {
		const { items, error } = await run(service, given);
		expect(error).toBeUndefined();
		return items.length;
	};
	const all = await count(parameters(target));
	expect(await count(field.fill(parameters(target), applied[field.name]))).toBeLessThan(all);
});

/** With the same external ID, a second engagement is not created. */
const repeatable = examples.filter(({ name }) => name !== 'engagement.create with an external ID');

const sending = repeatable.flatMap((example) => {
	const same = examples.filter(({ operation }) => operation === example.operation);
	const sends = Object.assign({}, ...same.map((each) => each.sends)) as Required<Example>['sends'];
	const given = Object.entries(example.parameters(anyTarget)).flatMap(([name, value]) =>
		typeof value === 'object' ? Object.keys(value ?? {}).map((inner) => `${name}.${inner}`) : name,
	);
	return example.fields
		.filter(({ name }) => !name.startsWith('options.') && !others.includes(name))
		.filter(({ name }) => !given.includes(name.replace(/ .*/, '')))
		.map((field) => {
			const [entered, sent] = sends[field.name] ?? [];
			return { ...example, title: `${example.name}: ${field.name}`, field, entered, sent };
		});
});

/** Pages are as small as Limit allows only where no filter may leave records out. */
const withoutSize = ({ size: _size, ...others }: IDataObject) => others;

it.each(sending)('$title is sent, unless it is empty', async (each) => {
	const { field, entered, sent, parameters, url, body, name } = each;
	if (sent === undefined)
		throw new Error(
			`Add ${field.name} to “sends” of ${name} in test/support/world/operations.mts, or to “applied” in this file if the node applies it itself`,
		);
	const sentWith = async (value: unknown) => {
		await readOutput(service, field.fill(parameters(target), value));
		const { query, body: sentBody } = toDocumentedPath(each) ?? {};
		return withoutSize({ ...query, ...(sentBody as object) });
	};
	const without = withoutSize({ ...readQuery(url(target)), ...body });
	expect(await sentWith(entered)).toEqual(withoutSize({ ...without, ...sent }));
	if (field.type === 'fixedCollection') return;
	for (const empty of ['', null]) expect(await sentWith(empty)).toEqual(without);
});

const waiting = { ...example('dataRefresh.run'), name: 'dataRefresh.run, waiting' };

it.each([...examples, waiting])('$name returns an error for each item', async (each) => {
	const { name, parameters } = each;
	const given = {
		...parameters(target),
		...(name === waiting.name && { waitForCompletion: true }),
	};
	service.fail({}, { kind: 'status', status: 403 }, { times: Infinity });
	const { items } = await run(service, given, [{}, {}, {}], { onError: 'continueRegularOutput' });
	expect(items).toEqual(
		[0, 1, 2].map((item) => ({ json: { error: expect.any(String) }, pairedItem: { item } })),
	);
});

const withRaw = examples.filter(({ operation }) => hasRaw(operation));

it.each(withRaw)('the raw output of $name is exactly what the service sent', async (each) => {
	const { parameters, method, output, url } = each;
	const [first] = await readOutput(service, { ...parameters(target), output: 'raw' });
	expect(first).not.toEqual(output());
	if (method === 'GET') expect(first).toEqual(firstRecord(service.ask('GET', url(target)).body));
});

const withFields = repeatable.filter(({ operation }) => Object.hasOwn(operation.fields, 'fields'));

it.each(withFields)('$name offers all that its record has but the IDs, sorted', async (each) => {
	const { operation, parameters, method, output, url } = each;
	const { options = [] } = operation.fields.fields?.property ?? {};
	const offered = options.map((option) => ('value' in option ? String(option.value) : ''));
	const titles = options.map(({ name }) => name);
	expect(titles).toEqual(titles.toSorted((one, other) => one.localeCompare(other)));
	const given = { output: 'selectedFields', fields: offered.slice(0, 1) };
	const [selected = {}] = await readOutput(service, { ...parameters(target), ...given });
	const always = Object.keys(selected).filter((name) => name !== offered[0]);
	expect(offered.filter((name) => always.includes(name))).toEqual([]);
	const isMade = method === 'POST';
	const [sent = {}] = isMade
		? await readOutput(service, { ...parameters(target), output: 'raw' })
		: [firstRecord(service.ask('GET', url(target)).body) as IDataObject];
	// What is only there for engagements that existed before is not offered for a new one.
	const own = Object.keys(output()).filter((name) => !isMade || name in sent);
	expect([...offered, ...always]).toEqual(expect.arrayContaining(own));
	const kind = kinds[operation.resource as KindName];
	const simple = simplify(sent, kind, { zone: 'UTC' });
	// The data status has a field of the last upload, too.
	const ofUpload = hasRaw(operation) ? {} : { active: true };
	const known = Object.keys({ ...sent, ...simple, ...output(), ...ofUpload });
	expect(known).toEqual(expect.arrayContaining(offered.map((name) => name.split('.')[0])));
});

/** The query in a URL. */
function readQuery(url: string): Record<string, string> {
	return Object.fromEntries(new URLSearchParams(url.split('?')[1]));
}

/** The first record in a response. */
function firstRecord(body: unknown): unknown {
	const { content } = body as { content?: unknown[] };
	return content === undefined ? body : content[0];
}
