/** Include Steps: the steps of each upload, as far as the service allows. */
import type { IDataObject } from 'n8n-workflow';
import type { Fault } from '../support/service/faults.mts';
import { makeCredential } from '../support/world/credentials.mts';
import { useVirtualTime } from '../support/time/virtualTime.mts';
import { changeAnswers, complete, service, trigger, useSmallService } from './polling.mts';

useVirtualTime();
useSmallService();

describe('the steps of each upload', () => {
	const parameters = { startFrom: 'beginning', options: { includeWorkflow: true } };

	it('are in order, with times as ISO 8601, and with the current one as text', async () => {
		service.settings.printZone = 'America/New_York';
		const uploadId = complete(5);
		const credential = makeCredential(service, { timeZone: 'America/New_York' });
		const items = (await trigger({ ...parameters, output: 'raw' }, { credential }).poll()) ?? [];
		const { json = {} } = items[0] ?? {};
		expect(json).toMatchObject({ uploadId, currentStep: 'Store', currentStepStatus: 'COMPLETED' });
		const steps = json.steps as IDataObject[];
		expect(steps.map(({ sorting }) => sorting)).toEqual([1, 2, 3, 4, 5]);
		for (const { started } of steps) expect(started).toMatch(/^2026-06-15T09:.*Z$/);
		expect(json).not.toHaveProperty('workflow');
	});

	it.each<Fault>([{ kind: 'status', status: 404 }, { kind: 'hang' }])(
		'are null if the response is always %j, and holds up no other',
		async (fault) => {
			const ids = [complete(5), complete(4), complete(3)];
			service.fail({ path: new RegExp(`${ids[0]}$`) }, fault, { times: Infinity });
			const items = await trigger(parameters, { budgetMs: 5000 }).poll();
			expect(items).toMatchObject(withSteps(ids, (id) => id !== ids[0]));
		},
	);

	it('are null, and not requested, if an upload names no engagement', async () => {
		const ids = [complete(5), complete(4)];
		changeAnswers(({ body }) => Object.assign(Object(body?.content?.[0]), { engagementId: null }));
		const items = await trigger(parameters).poll();
		expect(items).toMatchObject(withSteps(ids, (id) => id === ids[1]));
		expect(service.requests.filter(({ path }) => path.includes('workflows'))).toHaveLength(1);
	});
});

/** The items of uploads, of which these have steps. */
function withSteps(ids: string[], hasSteps = (_id: string) => true): object[] {
	const all = { steps: expect.any(Array), currentStep: 'Store', currentStepStatus: 'COMPLETED' };
	const none = { steps: null, currentStep: null, currentStepStatus: null };
	return ids.map((uploadId) => ({ json: { uploadId, ...(hasSteps(uploadId) ? all : none) } }));
}
