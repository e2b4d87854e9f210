/** Waiting for refreshed uploads under Retry On Fail, and with tokens and checks that fail. */

import type { SimulatedService } from '../support/service/http.mts';
import {
	one,
	sentRefreshes,
	refresh,
	refreshable,
	onErrorContinue,
	uploadIds,
	uploadsOf,
} from './refreshing.mts';
import { endpointCredentialOf } from '../support/credentials.mts';
import { useVirtualTime } from '../support/virtualTime.mts';
import { errorText, itemsFrom, jsonOf, run, useService } from '../support/runs.mts';

useVirtualTime();

let service: SimulatedService;

useService(beforeEach, async () => (service = await refreshable()));

describe('under Retry On Fail', () => {
	it.each([onErrorContinue, {}])(
		'continues to wait for a refresh whose wait timed out: %o',
		async (settings) => {
			service.settings.uploadDurationMs = 700;
			const parameters = refresh({}, { waitTimeout: 0.005 });
			const { items, error } = await run(service, parameters, one, { maxTries: 4, ...settings });
			expect(error).toBeUndefined();
			expect(uploadsOf(items)).toEqual(uploadIds(service));
			expect(sentRefreshes(service)).toHaveLength(1);
		},
	);

	it('continues to wait for a refresh whose check was denied', async () => {
		const denied = { kind: 'status', status: 403 } as const;
		service.fail({ path: /\/uploads$/ }, denied, { skip: 3 });
		const { items } = await run(service, refresh(), itemsFrom(1, 2), { maxTries: 2 });
		expect(uploadsOf(items)).toEqual(uploadIds(service));
		expect(sentRefreshes(service)).toHaveLength(2);
	});

	it('reports a failed upload in each attempt, without another refresh', async () => {
		service.model.refreshOutcomes.set(1, 'fails');
		const { items } = await run(service, refresh(), itemsFrom(1, 2), {
			...onErrorContinue,
			maxTries: 3,
		});
		expect(jsonOf(items)).toEqual([
			{ error: expect.stringContaining('has the status FAILED') },
			expect.objectContaining({ engagementId: 2, upload: expect.anything() }),
		]);
		expect(sentRefreshes(service)).toHaveLength(2);
	});
});

it('returns the address at which the customer must act, unchanged', async () => {
	const url = 'https://act.example.com/?token=eyJhbGciOiJub25lIn0.e30.c2ln&access_token=secret';
	const body = { action: 'Sign In', url };
	service.fail({ path: /refresh$/ }, { kind: 'status', status: 200, body });
	const { items } = await run(service, refresh({ connectorName: 'otherbooks' }), one, {
		credential: endpointCredentialOf(service),
	});
	expect(jsonOf(items)).toMatchObject([{ actionRequired: true, url, upload: null }]);
});

it('says which refreshes were started and which completed', async () => {
	service.model.refreshOutcomes.set(2, 'fails');
	const result = await run(service, refresh(), itemsFrom(1, 3));
	expect(errorText(result)).toMatch(/engagement 2 has failed: upload \S+ has.*\[item 1\]/);
	expect(result.error?.message).toMatch(
		/2 of 3 items had already been processed\. Refreshes started for engagements: 1, 2, 3\. Refreshes completed for engagements: 1, 3$/,
	);
});
