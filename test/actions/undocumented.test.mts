/** What the documentation leaves open: the node makes the same of every likely answer. */
import type { IDataObject } from 'n8n-workflow';

import type { Settings } from '../support/service/settings.mts';
import { readOutput, service } from '../support/engine/runs.mts';
import { useSmallWorld } from '../support/world/smallWorld.mts';

useSmallWorld(beforeEach);

/** Sets what the service does, and reads the output of an operation. */
const read = async (settings: Partial<Settings>, operation: string, more: IDataObject = {}) => {
	Object.assign(service.settings, settings);
	return await readOutput(service, toParameters(operation, more));
};

const toParameters = (operation: string, more: IDataObject) => {
	const [resource, name] = operation.split('.');
	return { resource, operation: name, ...more };
};

const first = { engagementId: 1001, connectorName: 'cloudbooks' };
const withoutUpload = { engagementId: 1003, connectorName: 'cloudbooks' };

it.each([false, true])('years and months are periods (of all uploads: %s)', async (isAll) => {
	service.model.addCompletedUpload(first);
	const settings = { yearsAmongPeriods: true, periodsOf: isAll ? 'all' : 'last' } as const;
	const periods = await read(settings, 'period.getAll', { ...first, returnAll: true });
	expect(periods).toHaveLength(isAll ? 26 : 13);
	expect(periods[0]).toMatchObject({ name: '2026', periodId: null, endDate: '2026-12-31' });
});

describe.each(['atStart', 'whenOpened'] as const)(
	'a link, with uploads listed %s',
	(listsUploads) => {
		const status = async () =>
			(await readOutput(service, toParameters('engagement.getStatus', { returnAll: true }))).find(
				({ engagementId }) => engagementId === 1003,
			);

		it('leaves the upload without a current step until the customer opens it', async () => {
			const [{ url } = {}] = await read({ listsUploads }, 'upload.start', withoutUpload);
			const expected = listsUploads === 'atStart' ? 'running' : 'never';
			expect(await status()).toMatchObject({ dataStatus: expected });
			const getSteps = async () => {
				const [{ uploadId } = {}] = service.model.uploads.of(1003);
				const steps = { engagementId: 1003, uploadId, splitSteps: false };
				return uploadId === undefined ? null : (await read({}, 'upload.getWorkflow', steps))[0];
			};
			const unopened = { started: null, currentStep: 'Collect', currentStepStatus: 'PENDING' };
			if (listsUploads === 'atStart') expect(await getSteps()).toMatchObject(unopened);

			service.ask('GET', new URL(String(url)).pathname);
			expect(await getSteps()).toMatchObject({
				currentStep: 'Collect',
				started: expect.any(String),
			});
			service.model.clock.move(service.settings.uploadDurationMs);
			expect(await status()).toMatchObject({ dataStatus: 'fresh' });
		});
	},
);

it.each([false, true])(
	'the current step failed, or is not completed (all start: %s)',
	async (all) => {
		const { model } = service;
		const halfway = { engagementId: 1001, finishedSteps: 2, lastUpdate: model.now };
		const open = model.addUpload({ ...halfway, status: 'PROCESSING' });
		const failed = model.addUpload({ ...halfway, status: 'FAILED' });
		for (const { uploadId, status: currentStepStatus } of [open, failed])
			expect(
				await read({ startsAllSteps: all }, 'upload.getWorkflow', {
					...first,
					uploadId,
					splitSteps: false,
				}),
			).toMatchObject([{ currentStep: 'Validate', currentStepStatus }]);
	},
);

it.each([
	['engagement.getAll', 3],
	['engagement.getStatus', 3],
	['upload.getAll', 2],
])('page fields may mean what their descriptions say: %s', async (operation, count) => {
	const all = { returnAll: true, options: { pageSize: 1 } };
	const output = await read({ pageFields: 'worded' }, operation, all);
	expect(output).toHaveLength(count);
});
