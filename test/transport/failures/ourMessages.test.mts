/** n8n replaces a message in which it finds one of its codes, even within a customer's name. */
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import {
	fullText,
	forItem,
	inputError,
	serviceError,
} from '../../../nodes/EngagementUploads/transport/failures/errors.ts';
import { errorText, run } from '../../support/runs.mts';
import { smallWorld } from '../../support/smallWorld.mts';

const node = { name: 'Engagement Uploads', type: 'engagementUploads' } as INode;

it.each(['ETIMEDOUT', 'EPERM'])('a message with %s stays as it is', (code) => {
	const report = { purpose: `create “${code} Ltd”`, problem: `of ${code}`, advice: 'Do this' };
	const message = `Could not create “${code} Ltd”: of ${code}`;
	const error = serviceError(node, report);
	expect(error.message).toBe(message);
	expect(fullText(error)).toBe(`${message}. Do this`);
	expect(forItem(error, 3, node).message).toBe(`${message} [item 3]`);
	// n8n wraps what a node throws.
	expect(new NodeApiError(node, error as never).message).toBe(message);
	expect(inputError(node, `No ${code}`, '').message).toBe(`No ${code}`);
	expect(new NodeOperationError(node, inputError(node, `No ${code}`, '')).message).toBe(
		`No ${code}`,
	);
});

it('an unknown outcome is reported as such, whatever code the service says', async () => {
	const { service } = await smallWorld();
	const fault = { kind: 'status', status: 502, body: { message: 'ETIMEDOUT' } } as const;
	service.fail({ method: 'POST' }, fault);
	const create = { resource: 'engagement', operation: 'create', name: 'Bookkeepermanagement Ltd' };
	const text = errorText(await run(service, create));
	await service.close();
	expect(text).toMatch(/“Bookkeepermanagement Ltd”: the outcome is unknown.*“ETIMEDOUT”/);
});
