/** What the oldest supported n8n lacks or does differently. Nothing else in the harness depends on it. */
import type { IWorkflowExecuteAdditionalData, Workflow } from 'n8n-workflow';

import { config, Container, isOldestN8n, n8n } from './n8n.mts';

/** Thrown by a test of something that this n8n lacks: test/environment.js then skips it. */
class LineLacks extends Error {
	override name = 'LineLacks';
}

/** n8n has had poll budgets and durable polling since 2.38. */
export function needsPollBudgets(): void {
	if (isOldestN8n) throw new LineLacks('This n8n has no poll budgets');
}

/** The oldest n8n lets credential tests through, whichever address they go to. */
export function needsProtectionOfCredentialTest(): void {
	if (isOldestN8n) throw new LineLacks('This n8n lets credential tests through');
}

/**
 * The request helper of the oldest n8n does not settle after a response that cannot be decompressed, so
 * that each such request would last until its time limit, in real time.
 */
export const settlesAfterBadGzip = !isOldestN8n;

let isProtected = false;

/** Lets n8n refuse, or no longer refuse, requests to private addresses: the services of tests are there. */
export function protectPrivateAddresses(protect: boolean): void {
	isProtected = protect;
	// The newest n8n asks its settings, the oldest one what its server hands over.
	if (!isOldestN8n) Container.get(config.SsrfProtectionConfig).enabled = protect;
}

/** What the server of the oldest n8n hands over: its protection, which is not part of n8n-core. */
export function protection(): Partial<IWorkflowExecuteAdditionalData> {
	if (!isProtected || !isOldestN8n) return {};
	const message = 'The request was blocked because it resolves to a restricted IP address';
	const description =
		'The target 127.0.0.1 is not allowed. If you need to access internal resources, ask your n8n administrator to allowlist the hostname or IP range in the environment configuration.';
	const error = new n8n.UserError(message, { description });
	const check = () => ({ ok: !isProtected, error });
	const ssrfBridge = {
		validateUrl: async () => check(),
		validateConnectionHost: check,
		createSecureLookup: () => undefined,
	};
	return { ssrfBridge } as object;
}

/** Runs a node so that its expressions can be evaluated, for which not every line prepares. */
export async function withExpressions<T>(
	expression: Workflow['expression'],
	run: () => Promise<T>,
): Promise<T> {
	return 'withIsolate' in expression ? await expression.withIsolate(run) : await run();
}
