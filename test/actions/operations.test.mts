import type { IDataObject } from 'n8n-workflow';

import { advising } from '../support/advice.mts';
import {
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
	const { parameters, method, body, lookups, url } = each;
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
		expect(items.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(true);
	});
});

/** With the same external ID, a second engagement is not created. */
const repeatable = examples.filter(({ name }) => name !== 'engagement.create with an external ID');

const sending = repeatable.flatMap((example) => {
	const same = examples.filter(({ operation }) => operation === example.operation);
	const sends = Object.assign({}, ...same.map((each) => each.sends)) as Required<Example>['sends'];
	return example.fields.flatMap((field) => {
		const [entered, sent] = sends[field.name] ?? [];
		if (sent === undefined) return [];
		return [{ ...example, title: `${example.name}: ${field.name}`, field, entered, sent }];
	});
});

/** Pages are as small as Limit allows only where no filter may leave records out. */
const withoutSize = ({ size: _size, ...others }: IDataObject) => others;

it.each(sending)('$title is sent, unless it is empty', async (each) => {
	const { field, entered, sent, parameters, url, body } = each;
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

const withRaw = examples.filter(({ operation, method }) => method === 'GET' && hasRaw(operation));

it.each(withRaw)('the raw output of $name is exactly what the service sent', async (each) => {
	const { parameters, url } = each;
	const [first] = await readOutput(service, { ...parameters(target), output: 'raw' });
	expect(first).toEqual(firstRecord(service.ask('GET', url(target)).body));
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
