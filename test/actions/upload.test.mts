/** Upload > Start, Get Steps and Get Last, whose requests are in mergedLookups.test.mts. */
import type { IDataObject } from 'n8n-workflow';

import {
	errorText,
	listHints,
	onErrorContinue,
	readOutput,
	run,
	service,
	toJson,
} from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeAll);

it('Split Steps returns one item per step in the order of the process', async () => {
	const own = { uploadId: 'a', engagementId: 1001 };
	const steps = [2, 1, 3].map((sorting) => ({ sorting }));
	service.fail({}, { kind: 'status', status: 200, body: { ...own, steps } });
	// docs/output.md has a whole step.
	const split = { resource: 'upload', operation: 'getWorkflow', splitSteps: true, output: 'raw' };
	const expected = [1, 2, 3].map((sorting) => ({ sorting, ...own }));
	expect(await readOutput(service, { ...split, ...own })).toMatchObject(expected);
});

it('Upload > Start returns the address for the customer, without which its outcome is unknown', async () => {
	const operation = { resource: 'upload', operation: 'start', connectorName: 'cloudbooks' };
	const startWith = async (body: IDataObject) => {
		service.fail({}, { kind: 'status', status: 200, body });
		return await run(service, { ...operation, engagementId: 1001 });
	};
	const { items } = await startWith({ type: 'DOWNLOAD', redirectUrl: null, acmeClientUrl: 'b' });
	expect(toJson(items)).toMatchObject([{ url: 'b' }]);
	expect(errorText(await startWith({ type: 'REDIRECT', url: 'null' }))).toMatch(
		/outcome is unknown because .* it has no redirectUrl/,
	);
});

describe('Upload > Get Last', () => {
	const getLast = (over: IDataObject) => ({ resource: 'upload', operation: 'getLast', ...over });
	const byExternalId = (externalEngagementIds: string, over: IDataObject = {}) =>
		getLast({ engagementsBy: 'externalId', externalEngagementIds, ...over });

	it('reads IDs as people and spreadsheets write them', async () => {
		const engagementIds = ['1002.0', ' 1001 '];
		expect(await readOutput(service, getLast({ engagementIds }))).toMatchObject([
			{ engagementId: 1002 },
			{ engagementId: 1001 },
		]);
	});

	it('returns the external ID with selected fields, and what the service sent with Raw', async () => {
		const own = { output: 'selectedFields', fields: ['status'] };
		expect(await readOutput(service, byExternalId('CRM-1', own))).toEqual([
			{
				...{ uploadId: expect.any(String), engagementId: 1001, status: 'COMPLETED' },
				externalEngagementId: 'CRM-1',
			},
		]);
		const [raw] = await readOutput(service, byExternalId('CRM-1', { output: 'raw' }));
		expect(raw).not.toHaveProperty('externalEngagementId');
	});

	it('names external IDs that nobody has in the error of their item, or returns them as missing', async () => {
		const given = byExternalId('={{ $json.ids }}');
		const asked = [{ ids: 'A-1, CRM-1; B-1' }, { ids: 'CRM-2' }];
		const { items } = await run(service, given, asked, onErrorContinue);
		expect(toJson(items)).toEqual([
			{
				error: expect.stringMatching(
					/^No engagement was found for “A-1”, “B-1” in External Engagement IDs \[item 0\]/,
				),
			},
			expect.objectContaining({ engagementId: 1002 }),
		]);
		const options = { includeMissing: true };
		const missing = { engagementId: null, uploadId: null };
		expect(await readOutput(service, { ...given, options }, asked.slice(0, 1))).toEqual([
			expect.objectContaining({ ...missing, externalEngagementId: 'A-1' }),
			expect.objectContaining({ engagementId: 1001 }),
			expect.objectContaining({ ...missing, externalEngagementId: 'B-1' }),
		]);
	});

	const withoutUpload = [undefined, { engagementId: 1003, uploadId: 'null' }];
	it.each(withoutUpload)('returns no item for %j without Include Missing', async (record) => {
		const engagementIds = 1003;
		const body = { content: [record], last: true };
		if (record !== undefined)
			service.fail({}, { kind: 'status', status: 200, body }, { times: Infinity });
		const without = await run(service, getLast({ engagementIds }));
		expect(without.items).toEqual([]);
		expect(listHints(without)[0]).toMatch(
			/^Engagement 1003 has no upload or does not exist\. Turn on Include Missing .* for it\.$/,
		);
		const options = { includeMissing: true };
		const missing = { engagementId: 1003, uploadId: null };
		const fields = ['status'];
		for (const form of [{}, { output: 'raw' }, { output: 'selectedFields', fields }]) {
			const records = await readOutput(service, getLast({ engagementIds, options, ...form }));
			expect(records).toEqual([expect.objectContaining(missing)]);
		}
		service.clearFaults();
	});
});
