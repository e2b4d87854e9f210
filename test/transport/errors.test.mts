/** n8n replaces a message in which it finds one of its codes, even within a customer's name. */
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import {
	fullText,
	isOutcomeUnknown,
	nodeError,
	asUnknownOutcome,
	ServiceFailure,
} from '../../nodes/EngagementUploads/transport/errors.ts';
import { InputError } from '../../nodes/EngagementUploads/values/inputError.ts';

const node = { name: 'Engagement Uploads', type: 'engagementUploads' } as INode;

it.each(['ETIMEDOUT', 'EPERM'])('a message with %s stays as it is', (code) => {
	const texts = { problem: `of ${code}`, advice: 'Do this' };
	const message = `Could not create “${code} Ltd”: of ${code}`;
	const failure = new ServiceFailure(`create “${code} Ltd”`, { fault: 'request' }, texts);
	expect(fullText(failure, 3)).toBe(`${message} [item 3]. Do this`);
	const error = nodeError(node, failure);
	expect(error).toMatchObject({ name: 'NodeApiError', message, description: 'Do this' });
	// n8n wraps what a node throws.
	expect(new NodeApiError(node, error as never).message).toBe(message);
	const invalid = nodeError(node, new InputError(`No ${code}`, 'Enter one'), 3);
	expect(invalid).toMatchObject({ name: 'NodeOperationError', description: 'Enter one' });
	expect(invalid.message).toBe(`No ${code} [item 3]`);
	expect(new NodeOperationError(node, invalid).message).toBe(`No ${code} [item 3]`);
});

it('an error of a write that nobody has foreseen is an unknown outcome, others stay as they are', () => {
	const error = asUnknownOutcome(new TypeError('x is not a function'));
	expect(isOutcomeUnknown(error)).toBe(true);
	expect(fullText(error)).toMatch(/outcome is unknown.*x is not a function.*Check the service/);
	const rejected = new ServiceFailure('create', { fault: 'request' }, { problem: '', advice: '' });
	for (const known of [rejected, new InputError('No', ''), nodeError(node, rejected)])
		expect(asUnknownOutcome(known)).toBe(known);
});
