/** A user looks at the lists in the editor, so they do not take long, whatever the service does. */
import type { INodeListSearchResult } from 'n8n-workflow';
import { systemClock } from '../../nodes/EngagementUploads/values/clock.ts';
import { CREDENTIAL, credentialOf, endpointCredentialOf } from '../support/credentials.mts';
import { searchList } from '../support/engine/lookups.mts';
import type { Fault } from '../support/service/faults.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import { search, service } from './searching.mts';

describe('within a minute, a list is there or says why not', () => {
	useVirtualTime();

	/** How a search ends, and after how many seconds. */
	async function ending(method: string, filter?: string, credential = credentialOf(service)) {
		const began = systemClock.now();
		const credentials = { [CREDENTIAL]: credential };
		const message = await searchList({ credentials, method, filter }).then(
			({ results }) => `${results.length} entries`,
			(error: Error) => error.message,
		);
		expect(systemClock.now() - began).toBeLessThan(60_000);
		return message;
	}

	const always = { times: Infinity };
	const throttled = { kind: 'status', status: 429, headers: { 'retry-after': '110' } } as const;

	describe.each(['searchEngagements', 'searchConnectors', 'searchRefreshableConnectors'])(
		'%s',
		(method) => {
			it.each<[string, Fault, RegExp]>([
				['is throttled', throttled, /accepts no requests until .* \(status 429\)/],
				[
					'hangs',
					{ kind: 'hang' },
					/did not respond within [\d.]+ seconds, even after \d attempts/,
				],
				['is down', { kind: 'status', status: 503 }, /the service failed \(status 503\)/],
			])('if the service %s', async (_, fault, message) => {
				service.fail({}, fault, always);
				expect(await ending(method, 'bakery')).toMatch(message);
			});

			it('if the token endpoint hangs', async () => {
				service.fail({ path: service.settings.tokenPath }, { kind: 'hang' }, always);
				const credential = endpointCredentialOf(service);
				expect(await ending(method, '', credential)).toMatch(/the token endpoint did not respond/);
			});
		},
	);

	const values = ({ results }: INodeListSearchResult) => results.map(({ value }) => value);
	const lastName = ({ results }: INodeListSearchResult) => results.at(-1)?.name;
	/** In the order of their IDs, one request after the other, as many on a page. */
	const listedBy = (maxPageSize: number) =>
		Object.assign(service.settings, { maxPageSize, pageFields: 'none', honourOrderBy: false });

	it('if pages are slow, with what has been found, and where to go on', async () => {
		Object.assign(listedBy(15), { latencyMs: 500 });
		expect(await ending('searchEngagements', 'bakery')).toBe('10 entries');
		const first = await search('searchEngagements', 'bakery');
		expect(lastName(first)).toBe('Searched part of the list. Scroll down for more.');
		const second = await search('searchEngagements', 'bakery', first.paginationToken);
		expect(second.paginationToken).toBeUndefined();
		const ids = Array.from({ length: 13 }, (_, index) => String(index * 100 + 7));
		expect([...values(first), ...values(second)].filter((value) => value !== '')).toEqual(ids);
	});

	it('if so little has been found that n8n cannot scroll, with what to enter', async () => {
		Object.assign(listedBy(5), { latencyMs: 500 });
		const found = await search('searchEngagements', 'bakery');
		expect(values(found)).toEqual(['7', '107', '207', '']);
		expect(lastName(found)).toBe('Searched part of the list. Enter the External ID.');
	});

	it('with what has been found before a failure, which is shown when scrolling down', async () => {
		listedBy(100);
		service.fail({ query: { page: '9' } }, throttled, always);
		const found = await search('searchEngagements', 'bakery');
		expect(values(found)).toHaveLength(10);
		const next = search('searchEngagements', 'bakery', found.paginationToken);
		await expect(next).rejects.toThrow('(status 429)');
	});
});
