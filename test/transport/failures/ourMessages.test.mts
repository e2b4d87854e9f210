/** n8n replaces a message in which it finds one of its codes, even within a customer's name. */
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import {
	fullText,
	forItem,
	inputError,
	serviceError,
} from '../../../nodes/EngagementUploads/transport/failures/errors.ts';
import type { SimulatedService } from '../../support/service/http.mts';
import { errorText, run } from '../../support/runs.mts';
import { smallWorld } from '../../support/smallWorld.mts';

/** Every code in n8n's table. */
const CODES = [
	...['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'ERRADDRINUSE', 'EADDRNOTAVAIL'],
	...['ECONNABORTED', 'EHOSTUNREACH', 'EAI_AGAIN', 'ENOENT', 'EISDIR', 'ENOTDIR', 'EACCES'],
	...['EEXIST', 'EPERM', 'GETADDRINFO'],
];
const node = { name: 'Engagement Uploads', type: 'engagementUploads' } as INode;

it.each(CODES)('a message with %s stays as it is', (code) => {
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

describe('through the engine', () => {
	let service: SimulatedService;
	beforeEach(async () => {
		({ service } = await smallWorld());
	});
	afterEach(async () => await service.close());

	const create = { resource: 'engagement', operation: 'create', name: 'Bookkeepermanagement Ltd' };

	it('a name that contains EPERM does not hide why it was rejected', async () => {
		const body = { message: 'Bookkeepermanagement Ltd is too long' };
		service.fail({ method: 'POST' }, { kind: 'status', status: 422, body });
		const text = errorText(await run(service, create));
		expect(text).toContain('the service rejected the values (422)');
		expect(text).toContain('Bookkeepermanagement Ltd is too long');
	});

	it.each(CODES)(
		'an unknown outcome is reported as such, even if the service says %s',
		async (code) => {
			service.fail({ method: 'POST' }, { kind: 'status', status: 502, body: { message: code } });
			const result = await run(service, { ...create, name: 'Any' });
			expect(errorText(result)).toMatch(/outcome is unknown.*Check the service before/s);
			expect(errorText(result)).toContain(`“${code}”`);
		},
	);
});
