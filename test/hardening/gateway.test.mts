/**
 * A gateway that switches one endpoint off, while the others work: what the user sees for each operation
 * that needs several, or merges requests, and how many requests were sent. The fault matrix tests the
 * others. The table is the snapshot; after a change that is meant, write it again with
 * `npx jest test/hardening/gateway -u` and read the difference.
 */
import type { IDataObject } from 'n8n-workflow';
import { advising } from '../support/advice.mts';
import { example, targetOf, type Target } from '../support/examples.mts';
import { run } from '../support/runs.mts';
import type { SimulatedService } from '../support/service/http.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import { subjectOf, worldOf } from './subjects.mts';

useVirtualTime();

/** What gateways answer for an endpoint that is switched off. */
const STATUSES = [401, 403, 404, 405, 410, 503];
/** Items in a run, each about another engagement where the operation has one. */
const ITEMS = 3;

const operations: Record<string, (target: Target) => IDataObject> = {
	'engagement.getStatus': subjectOf(example('engagement.getStatus')).parameters,
	'upload.getLast': subjectOf(example('upload.getLast')).parameters,
	'company.get, by external ID': (target) => ({
		...example('company.get').parameters(target),
		engagementId: { __rl: true, mode: 'externalId', value: '=E-{{ $json.id }}' },
	}),
	'upload.start, connector by ID': (target) => ({
		...example('upload.start').parameters(target),
		connectorName: { __rl: true, mode: 'id', value: '1' },
	}),
	'engagement.create, Return Existing': () => ({
		resource: 'engagement',
		operation: 'create',
		name: 'New',
		additionalFields: { externalEngagementId: '=E-{{ $json.id }}', returnExisting: true },
	}),
	'dataRefresh.run, waiting': (target) => ({
		...example('dataRefresh.run').parameters(target),
		waitForCompletion: true,
		options: { waitInterval: 1, waitTimeout: 0.1 },
	}),
};

const items = Array.from({ length: ITEMS }, (_, index) => ({ id: 1001 + index }));

/** Runs an operation; returns the requested endpoints, with IDs left out, and what the user sees. */
async function runOnce(parameters: (target: Target) => IDataObject, off?: [string, number]) {
	const service: SimulatedService = await worldOf({
		...subjectOf(example('company.get')),
		parameters,
	});
	try {
		if (off !== undefined) {
			const [endpoint, status] = off;
			const [method, path] = endpoint.split(' ');
			const pattern = new RegExp(`^${path?.replaceAll('*', '[^/]+')}/?$`);
			service.fail({ method, path: pattern }, { kind: 'status', status }, { times: Infinity });
		}
		const options = { onError: 'continueRegularOutput' as const };
		const result = await run(service, parameters(targetOf(service)), items, options);
		const endpoints = service.requests.map(({ method, path }) => `${method} ${withoutIds(path)}`);
		const shown = result.items.map(({ json }) =>
			String(json.error ?? json.dataStatus ?? 'a record'),
		);
		const counted = new Map<string, number>();
		for (const each of shown) {
			const text = each.replace(/ \[item \d+\]/, '');
			counted.set(text, (counted.get(text) ?? 0) + 1);
		}
		const seen = [...counted].map(([text, count]) => `${count} × ${text}`).join(' | ');
		return { endpoints: [...new Set(endpoints)], line: `${endpoints.length} requests: ${seen}` };
	} finally {
		await service.close();
	}
}

function withoutIds(path: string): string {
	return path.replace(/\/(?=[^/]*\d)[^/]+(?=\/|$)/g, (part) => (part === '/v1' ? part : '/*'));
}

it.each(Object.entries(operations))('%s', async (_name, parameters) => {
	const { endpoints, line } = await runOnce(parameters);
	const rows: Record<string, string> = { 'all on': line };
	for (const endpoint of endpoints)
		for (const status of STATUSES)
			rows[`${endpoint} ${status}`] = (await runOnce(parameters, [endpoint, status])).line;
	const advice =
		'If this is meant, run: npx jest test/hardening/gateway -u, and commit what it writes';
	advising(advice, () => expect(rows).toMatchSnapshot());
});
